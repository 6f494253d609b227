import { selectIsLoading } from '@forecourt/search/state';
import { useEmit, usePageState } from '@forecourt/slots';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { hasShowcase } from './context.ts';
import { ShowcaseCard } from './ShowcaseCard.tsx';
import styles from './Showcase.module.css';
import { isSuppressed, suppress } from './suppression.ts';

const subscribeToNothing = () => () => {};

const isNever = () => false;

/**
 * Shows the showcase unless the shopper hid it. The server knows only the cookie, not the session storage, and
 * may have rendered a hidden showcase: its space stays empty until the next search, so that the results don't jump.
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
