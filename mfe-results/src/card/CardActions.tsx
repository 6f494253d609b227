import { useRef, type ReactNode, useEffect, useState, type RefObject } from 'react';
import { useEmit, useSlotEnvironment } from '@forecourt/slots';
import { buttonClass, iconClass } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import type { ListingCardProps } from './cardState.ts';
import { sellerActions } from '../listing/sellerActions.ts';
import styles from './CardActions.module.css';
import { whenNear } from '../browser/lazyLoading.tsx';
import { CardMenu } from './CardMenu.tsx';
import { Contact } from './Contact.tsx';

/** The card's one main button; beside it the menu and, on small screens, the call. */
export function CardActions(props: ListingCardProps): ReactNode {
  const { listing, owner, isContacted } = props;
  const row = useRef<HTMLDivElement>(null);
  const isEligible = useEligibility(listing, row);
  const { primary, secondary, smallScreenCall } = sellerActions(listing, owner, { isEligible });
  const contactProps = { listingId: listing.id, title: listing.title, isContacted };
  return (
    <div ref={row} className={styles['actions']}>
      {primary && (
        <Contact {...contactProps} action={primary} className={buttonClass('primary', styles['main'])} />
      )}
      {smallScreenCall && (
        <Contact
          {...contactProps}
          action={smallScreenCall}
          className={`${styles['icon']} ${iconClass('phone')} ${styles['call']}`}
        />
      )}
      <CardMenu {...props} secondary={secondary} />
    </div>
  );
}

/** The save button, over the picture; another remote stores saved listings. */
export function SaveControl(props: { id: string; title: string; isSaved: boolean }): ReactNode {
  const { id, title, isSaved } = props;
  const emit = useEmit();
  const use = () => {
    emit('page.tracked', { kind: 'click', name: 'saveListing', listingId: id });
    emit('listing.saveRequested', { listingId: id });
  };
  return (
    <button
      type="button"
      className={`${styles['icon']} ${styles['save']} ${iconClass(isSaved ? 'heartFilled' : 'heart')}`}
      aria-label={`Save ${title}`}
      aria-pressed={isSaved}
      title="Save"
      onClick={use}
    />
  );
}

/**
 * Whether the vehicle can be bought at the dealer's online shop. Requested when the card comes near, for
 * listings of that program only; false until then and on failure.
 */
function useEligibility(
  { id, esntial }: Pick<Listing, 'id' | 'esntial'>,
  anchor: RefObject<Element | null>,
): boolean {
  const { call } = useSlotEnvironment();
  const [eligibleId, setEligibleId] = useState<string>();
  const isInProgram = esntial?.eligibilityService !== undefined;
  useEffect(() => {
    const element = anchor.current;
    if (!isInProgram || !element) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const stopWaiting = whenNear(element, () => {
      call('esntialEligibility', { listingId: id }, { signal }).then(
        ({ eligible }) => eligible && !signal.aborted && setEligibleId(id),
        () => {},
      );
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [call, id, isInProgram, anchor]);
  return eligibleId === id;
}
