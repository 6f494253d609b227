import { useRef, type ReactNode, useEffect, useMemo, useState, type RefObject } from 'react';
import { type Call, useEmit, useSlotEnvironment } from '@forecourt/slots';
import { buttonClass, iconClass } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import type { ListingCardProps } from './cardState.ts';
import { sellerActions, type Shop } from '../listing/sellerActions.ts';
import styles from './CardActions.module.css';
import { whenNear } from '../browser/lazyLoading.tsx';
import { CardMenu } from './CardMenu.tsx';
import { Contact } from './Contact.tsx';

/** The card's one main button; beside it the menu and, on small screens, the call. */
export function CardActions(props: ListingCardProps): ReactNode {
  const { listing, owner, isContacted, emailsInOneClick } = props;
  const row = useRef<HTMLDivElement>(null);
  const shop = useShop(listing, row);
  const { primary, more, smallScreenCall } = sellerActions(listing, owner, {
    shop,
    isOneClick: emailsInOneClick,
  });
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
          className={`${iconClass('phone')} ${styles['call']}`}
        />
      )}
      <CardMenu {...props} more={more} />
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
      className={`${styles['save']} ${iconClass(isSaved ? 'heartFilled' : 'heart')}`}
      aria-label={`Save ${title}`}
      aria-pressed={isSaved}
      title="Save"
      onClick={use}
    />
  );
}

/** Vehicles that can be bought online, as the dealers' shops have said on this page. */
const shopsOfPage = new WeakMap<Call, Set<string>>();

/**
 * Whether the vehicle can be bought at the dealer's online shop. Requested when the card comes near, for listings of
 * that program only. A response that arrives while the card is shown must not change the button under a shopper's finger:
 * it is `late` until the card is shown again. None until then and on failure.
 */
function useShop({ id, esntial }: Pick<Listing, 'id' | 'esntial'>, anchor: RefObject<Element | null>): Shop {
  const { call } = useSlotEnvironment();
  const isOpen = useMemo(() => shopsOfPage.get(call)?.has(id) ?? false, [call, id]);
  const [lateId, setLateId] = useState<string>();
  const isInProgram = esntial?.eligibilityService !== undefined;
  useEffect(() => {
    const element = anchor.current;
    if (!isInProgram || isOpen || !element) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const stopWaiting = whenNear(element, () => {
      call('esntialEligibility', { listingId: id }, { signal }).then(
        ({ eligible }) => {
          if (!eligible || signal.aborted) return;
          shopsOfPage.set(call, (shopsOfPage.get(call) ?? new Set()).add(id));
          setLateId(id);
        },
        () => {},
      );
    });
    return () => {
      stopWaiting();
      controller.abort();
    };
  }, [call, id, isInProgram, isOpen, anchor]);
  return isOpen ? 'open' : lateId === id ? 'late' : 'none';
}
