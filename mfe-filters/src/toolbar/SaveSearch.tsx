import { useEffect, useRef, useState, type ReactNode } from 'react';
import { type Chip, filterCount } from '@forecourt/search/catalog';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { type RootState, selectSession } from '@forecourt/search/state';
import { SlotOutlet, useSlotEnvironment, usePageState } from '@forecourt/slots';
import { Button, buttonClass, Icon } from '@forecourt/slots/ui';
import { currentChips } from './Chips.tsx';
import { useCriteria } from '../search/searchEdits.tsx';
import styles from './SaveSearch.module.css';

export interface SaveSearchConditions {
  readonly isSwitchedOff: boolean;
  readonly hasRequestValues: boolean;
  readonly signedIn: boolean;
  /** Title of the saved search, if this search is already saved. */
  readonly savedTitle: string | undefined;
  readonly hasPersonalization: boolean;
  /** Has chips other than the location. */
  readonly hasChips: boolean;
}

/** Whether the Save Search button is shown. */
export const isSaveSearchShown = (conditions: SaveSearchConditions): boolean =>
  !conditions.isSwitchedOff &&
  conditions.hasRequestValues &&
  (!conditions.signedIn || conditions.savedTitle === undefined) &&
  conditions.hasPersonalization &&
  conditions.hasChips;

/** Reads the conditions from the page's state. */
function conditionsOf(
  {
    session,
    search,
  }: Pick<RootState, 'session'> & {
    readonly search: Pick<RootState['search'], 'requestParams' | 'pageData'> & {
      readonly chips: readonly Chip[];
    };
  },
  criteria: SearchCriteria,
): SaveSearchConditions {
  return {
    isSwitchedOff: session.flags['saveSearchOff'] ?? false,
    hasRequestValues: Object.keys(search.requestParams).length > 0,
    signedIn: session.signedIn,
    savedTitle: search.pageData.saveSearchData?.title || undefined,
    hasPersonalization: session.flags['personalization'] ?? false,
    hasChips: filterCount(currentChips(search.chips, criteria)) > 0,
  };
}

/** True while the inline email capture replaces the button: until the next search. */
function useCapture() {
  const { listen } = useSlotEnvironment();
  const requestId = usePageState(({ search }) => search.requestId);
  const [capturedFor, setCapturedFor] = useState<string>();
  useEffect(() => listen('search.captureRequested', () => setCapturedFor(requestId)), [listen, requestId]);
  return capturedFor === requestId;
}

/** Moves the focus from the pressed button to the title that replaces it. */
function useSavedFocus(savedTitle: string | undefined) {
  const savedRef = useRef<HTMLParagraphElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    if (savedTitle === undefined || !isPressed.current) return;
    isPressed.current = false;
    if (document.activeElement === document.body) savedRef.current?.focus({ preventScroll: true });
  }, [savedTitle]);
  const markPressed = () => {
    isPressed.current = true;
  };
  return { savedRef, markPressed };
}

/**
 * Requests saving the search; mfe-leads decides how. Its email capture may replace the button. A
 * search that is already saved shows its title.
 */
export function SaveSearch(): ReactNode {
  const { emit } = useSlotEnvironment();
  const criteria = useCriteria();
  const session = usePageState(selectSession);
  const requestParams = usePageState(({ search }) => search.requestParams);
  const pageData = usePageState(({ search }) => search.pageData);
  const chips = usePageState(({ search }) => search.chips);
  const isCaptureShown = useCapture();
  const conditions = conditionsOf({ session, search: { requestParams, pageData, chips } }, criteria);
  const { savedTitle, signedIn } = conditions;
  const { savedRef, markPressed } = useSavedFocus(savedTitle);
  if (isCaptureShown) return <SlotOutlet name="email-capture" isInline className={styles['capture'] ?? ''} />;
  if (signedIn && savedTitle !== undefined && conditions.hasChips)
    return (
      <p ref={savedRef} tabIndex={-1} className={styles['saved']}>
        <Icon name="check" size={18} />
        <span className={styles['title']}>Saved: {savedTitle}</span>
      </p>
    );
  const words = (
    <>
      Save<span className={styles['search']}> Search</span>
    </>
  );
  if (!isSaveSearchShown(conditions))
    // The first filter makes a search that can be saved: its button has a place, so that the bar does not move then.
    return isSaveSearchShown({ ...conditions, hasChips: true }) ? (
      <span
        aria-hidden="true"
        className={buttonClass('secondary', `${styles['save']} ${styles['reserved']}`)}
      >
        {words}
      </span>
    ) : null;
  return (
    <Button
      className={styles['save']}
      onClick={() => {
        markPressed();
        emit('search.saveRequested', {});
      }}
    >
      {words}
    </Button>
  );
}
