import { defineSlot, useEmit } from '@forecourt/shared-contracts/slots';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { selectIsLoading, storedFlag, usePageState } from '@forecourt/shared-contracts/store';
import { hasShowcase } from '../context.ts';
import { ShowcaseCard } from '../ShowcaseCard.tsx';
import styles from '../Showcase.module.css';

/** s; lifetime of the cookie that keeps the showcase hidden (B9-ALPHA-03, AMB-130). */
const ALPHA_HIDDEN_SECONDS = 1800;

const subscribeToNothing = () => () => {};
const isNever = () => false;

/**
 * Shows the showcase unless the shopper hid it. The server knows only the cookie, not the session storage (AMB-130), and
 * may have rendered a hidden showcase: its space stays empty until the next search, so that the results don't jump.
 */
function Showcase(): ReactNode {
  const alpha = usePageState(({ search }) => search.alpha);
  const criteria = usePageState(({ search }) => search.criteria);
  const flags = usePageState(({ session }) => session.flags);
  const isLoading = usePageState(selectIsLoading);
  const emit = useEmit();
  const [firstCriteria] = useState(criteria);
  const [isHidden, setHidden] = useState(false);
  const placeRef = useRef<HTMLDivElement>(null);
  const impressionOf = useRef<string>(undefined);

  const isOffered = hasShowcase({ alpha, criteria }, flags);
  // Reading cookies is slow, so skip it without a showcase.
  const wasSuppressed = useSyncExternalStore(subscribeToNothing, isOffered ? isSuppressed : isNever, isNever);
  const isShown = isOffered && !isHidden && !wasSuppressed;
  const ownerId = isShown ? alpha?.ownerBean.id : undefined;
  useEffect(() => {
    if (ownerId === undefined || impressionOf.current === ownerId) return;
    impressionOf.current = ownerId;
    emit('page.tracked', { kind: 'impression', name: 'alpha', tile: ownerId });
  }, [ownerId, emit]);

  const hide = () => {
    suppress({ timed: flags['alphaTimedHide'] === true });
    setHidden(true);
    // The focused button disappears: keep the focus position for the next Tab.
    placeRef.current?.focus();
    emit('page.announced', { message: 'Sponsored showcase hidden' });
  };

  const keepsSpace = isOffered && !isHidden && wasSuppressed && criteria === firstCriteria;
  return (
    <div ref={placeRef} tabIndex={-1} className={styles['place']}>
      {alpha && (isShown || keepsSpace) && (
        <div style={keepsSpace ? { visibility: 'hidden' } : undefined}>
          <ShowcaseCard alpha={alpha} isLoading={isLoading} onHide={hide} />
        </div>
      )}
    </div>
  );
}

/** Key in sessionStorage and name of the cookie (AMB-130). */
const NAME = 'alphaHidden';
/** Without storage, the showcase stays hidden on this page only. */
const hiddenFlag = storedFlag('session', NAME);

/** True if the shopper hid the showcase in this session or, by cookie, in the last half hour. Browser only. */
function isSuppressed(): boolean {
  return document.cookie.split('; ').includes(`${NAME}=1`) || hiddenFlag.read();
}

/** Hides the showcase for the session; the timed variant also sets a cookie for the server (B4-ALPHA-06, B4-ALPHA-07). */
function suppress({ timed }: { readonly timed: boolean }): void {
  hiddenFlag.write(true);
  if (timed) document.cookie = `${NAME}=1; Path=/; Max-Age=${ALPHA_HIDDEN_SECONDS}; SameSite=Lax`;
}

/** The sponsored dealer showcase above the results (B2-ALPHA-01). */
export default defineSlot({
  needs: ['session', 'search.alpha', 'search.criteria', 'search.status', 'search.chips'],
  view: Showcase,
});
