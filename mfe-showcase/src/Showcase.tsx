import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ALPHA_HIDDEN_SECONDS } from './constants.ts';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState, storedFlag } from '@forecourt/shared-contracts/store';
import { hasShowcase } from './context.ts';
import { ShowcaseCard } from './ShowcaseCard.tsx';
import styles from './Showcase.module.css';

const subscribeToNothing = () => () => {};
const isNever = () => false;

/**
 * Decides whether the showcase stands on the page. A shopper who hid it earlier
 * in the session gets the server's showcase, because the server sees the cookie
 * alone (AMB-130): its space stays, empty, until the next search, so that the
 * results below do not jump.
 */
export function Showcase(): ReactNode {
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
  // Browsers take their time to read a cookie: not without a showcase.
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
    // The focused control is about to go: the next Tab starts from its place.
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
/** Where storage is blocked the showcase stays hidden on this page only. */
const hidden = storedFlag('session', NAME);

/** Has the shopper hidden the showcase in this session, or in the last half hour? Browser only. */
export function isSuppressed(): boolean {
  return document.cookie.split('; ').includes(`${NAME}=1`) || hidden.read();
}

/**
 * Remembers that the shopper hid the showcase: for the session, and in the
 * timed variant also by a cookie, which the server sees (B4-ALPHA-06,
 * B4-ALPHA-07, B9-ALPHA-03).
 */
export function suppress({ timed }: { readonly timed: boolean }): void {
  hidden.write(true);
  if (timed) document.cookie = `${NAME}=1; Path=/; Max-Age=${ALPHA_HIDDEN_SECONDS}; SameSite=Lax`;
}
