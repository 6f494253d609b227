import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { defineSlot, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import type { ToastContent } from '@forecourt/shared-contracts/ui';
import { FiltersDialog } from '../panel/FiltersDialog.tsx';
import { ExperienceLinks } from '../panel/ExperienceLinks.tsx';
import { FilterPanel } from '../panel/FilterPanel.tsx';
import { PanelDataProvider } from '../search/panelData.tsx';
import { YourSearch } from '../panel/YourSearch.tsx';
import { focusResults, isPastResults, FocusKeepingToast } from '../search/focus.tsx';
import { SearchEditsProvider, useEdit, useNewestCriteria } from '../search/searchEdits.tsx';
import { FilterAgain } from '../toolbar/FilterButton.tsx';
import styles from './filters.later.module.css';
import { PANEL_DOCKS_FROM } from '../constants.ts';

const DOCKED = `(min-width: ${PANEL_DOCKS_FROM}px)`;
const isDocked = () => window.matchMedia(DOCKED).matches;

/** Docked beside the results, or a dialog where there is no room (B2-PANEL-01..03, AMB-095). */
function Filters(): ReactNode {
  const { listen } = useSlotEnvironment();
  const edit = useEdit();
  const newest = useNewestCriteria();
  /** Criteria that the open dialog started from. */
  const [start, setStart] = useState<SearchCriteria>();
  const [toast, setToast] = useState<ToastContent | null>(null);
  const docked = useRef<HTMLDivElement>(null);
  const isOpen = start !== undefined;
  const showDocked = () => {
    docked.current?.scrollIntoView();
    docked.current?.focus({ preventScroll: true });
  };
  useEffect(
    () => listen('dialog.requested', ({ name }) => name === 'filters' && !isDocked() && setStart(newest())),
    [listen, newest],
  );
  useEffect(() => {
    if (!isOpen) return undefined;
    const query = window.matchMedia(DOCKED);
    const close = () => setStart(undefined);
    query.addEventListener('change', close);
    return () => query.removeEventListener('change', close);
  }, [isOpen]);
  const apply = (criteria: SearchCriteria | undefined) => {
    setStart(undefined);
    setToast(null);
    if (!criteria) return;
    edit(() => criteria, 'filters');
    // Once the dialog has given the focus back: somebody deep in the old results would see the midst of the new ones.
    requestAnimationFrame(() => isPastResults() && focusResults());
  };
  return (
    <>
      {isOpen ? (
        <FiltersDialog
          start={start}
          onApply={apply}
          onCancel={(draft) => {
            setStart(undefined);
            // Closing is not a choice: what was chosen so far is one click away.
            if (draft)
              setToast({
                key: JSON.stringify(draft.filters),
                message: 'Filters not applied.',
                action: { label: 'Apply', onUse: () => apply(draft) },
              });
          }}
        />
      ) : (
        <div ref={docked} className={styles['docked']} tabIndex={-1}>
          <YourSearch />
          <FilterPanel />
          <ExperienceLinks />
        </div>
      )}
      {!isOpen && <FilterAgain above={docked} onUse={showDocked} />}
      <FocusKeepingToast toast={toast} onGone={() => setToast(null)} />
    </>
  );
}

/** The filter panel with all its sections. */
export default defineSlot({
  needs: [
    'search.criteria',
    'search.filters',
    'search.chips',
    'search.totalResultCount',
    'search.status',
    'search.requestId',
    'search.requestParams',
    'search.pageData',
    'session',
  ],
  view: () => (
    <SearchEditsProvider>
      <PanelDataProvider>
        <Filters />
      </PanelDataProvider>
    </SearchEditsProvider>
  ),
});
