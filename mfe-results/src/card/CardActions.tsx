import { useRef, type ReactNode, useEffect, useState, type RefObject } from 'react';
import { useEmit, useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Icon, buttonClass } from '@forecourt/shared-contracts/ui';
import type { Listing } from '@forecourt/shared-contracts/entities';
import { CompareControl } from '../compare/CompareControl.tsx';
import type { ListingCardProps } from './cardState.ts';
import { sellerActions, type SellerAction } from '../listing/sellerActions.ts';
import styles from './CardActions.module.css';
import { whenNear } from '../browser/whenToLoad.ts';

/** Contact, save, compare, share and report. Save lies over the picture, where the eye is. */
export function CardActions(props: ListingCardProps): ReactNode {
  const { listing, owner, hasShareAndReport, canSave, canReport, compare, isSaved, isContacted } = props;
  const emit = useEmit();
  const { id, title } = listing;
  return (
    <>
      <ContactRow listing={listing} owner={owner} isContacted={isContacted} />
      <div className={styles['quick']}>
        {compare !== 'off' && (
          <CompareControl
            listing={listing}
            owner={owner}
            className={`${styles['compare']} ${compare === 'large' ? styles['largeOnly'] : ''}`}
          />
        )}
        <span className={styles['spacer']} />
        {hasShareAndReport && (
          <>
            <IconAction
              icon="share"
              label={`Share ${title}`}
              onUse={() => emit('listing.shareRequested', { listingId: id })}
            />
            {canReport && (
              <IconAction
                icon="flag"
                label={`Report ${title}`}
                onUse={() => emit('listing.reportRequested', { listingId: id })}
              />
            )}
          </>
        )}
      </div>
      {canSave && <SaveControl id={id} title={title} isSaved={isSaved} />}
    </>
  );
}

/** The heart: whoever keeps saved listings says whether this one is (A4-LISTSAVE-01). */
function SaveControl(props: { id: string; title: string; isSaved: boolean }): ReactNode {
  const { id, title, isSaved } = props;
  const emit = useEmit();
  const use = () => {
    emit('page.tracked', { kind: 'click', name: 'saveListing', listingId: id });
    emit('listing.saveRequested', { listingId: id });
  };
  return (
    <IconAction
      icon="heart"
      label={`Save ${title}`}
      isPressed={isSaved}
      className={styles['save']}
      onUse={use}
    />
  );
}

function ContactRow(props: Pick<ListingCardProps, 'listing' | 'owner' | 'isContacted'>): ReactNode {
  const { listing, owner, isContacted } = props;
  const row = useRef<HTMLDivElement>(null);
  const isEligible = useEligibility(listing, row);
  const actions = sellerActions(listing, owner, { isEligible });
  const { primary, secondary, smallScreenCall, isShopPossible } = actions;
  const { id, title } = listing;
  const about = { listingId: id, title, isContacted };
  const ways = [
    primary && <Contact key={primary.kind} {...about} action={primary} look="primary" />,
    secondary && <Contact key={secondary.kind} {...about} action={secondary} look="secondary" />,
  ];
  // The email stays where it is when the shop turns out to be there.
  if (isShopPossible && primary?.kind !== 'email') ways.reverse();
  return (
    <div ref={row} className={`${styles['contact']} ${isShopPossible && secondary ? styles['places'] : ''}`}>
      {ways}
      {smallScreenCall && (
        <Contact
          key="small screen"
          {...about}
          action={smallScreenCall}
          look="secondary"
          className={`${styles['smallOnly']} ${secondary ? styles['third'] : ''}`}
        />
      )}
    </div>
  );
}

/** What the buttons say once the seller was written to (A4-EMAIL-03). */
const SENT = { email: 'Email Sent', offer: 'Offer Sent' } as const;

function Contact(props: {
  action: SellerAction;
  look: 'primary' | 'secondary';
  listingId: string;
  title: string;
  isContacted: boolean;
  className?: string | undefined;
}): ReactNode {
  const { action, look, listingId, title, isContacted, className } = props;
  const emit = useEmit();
  const looks = [styles['cta'], look === 'primary' && styles['lead'], className].filter(Boolean).join(' ');
  if ('href' in action)
    return (
      <a
        className={buttonClass(look, looks)}
        href={action.href}
        aria-label={`${action.label} about ${title}`}
        onClick={() => emit('page.tracked', { kind: 'click', name: action.kind, listingId })}
        {...(action.kind === 'website' && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {action.kind === 'call' && <Icon name="phone" size={18} />}
        <span>{action.label}</span>
      </a>
    );
  const { kind } = action;
  // The card's own link lies over it.
  if (kind === 'details')
    return (
      <span className={buttonClass(look, `${styles['own']} ${looks}`)} aria-hidden="true">
        {action.label}
      </span>
    );
  const label = isContacted ? SENT[kind] : action.label;
  const open = () => {
    emit('page.tracked', { kind: 'click', name: kind, listingId });
    emit('lead.requested', { listingId, kind });
  };
  return (
    <button
      type="button"
      className={buttonClass(look, `${looks} ${styles['scripted']}`)}
      aria-label={`${label} about ${title}`}
      onClick={open}
    >
      {isContacted && <Icon name="check" size={18} />}
      {label}
    </button>
  );
}

function IconAction(props: {
  icon: Parameters<typeof Icon>[0]['name'];
  label: string;
  isPressed?: boolean;
  className?: string | undefined;
  onUse: () => void;
}): ReactNode {
  const { icon, label, isPressed, className, onUse } = props;
  return (
    <button
      type="button"
      className={`${styles['icon']} ${className ?? ''}`}
      aria-label={label}
      aria-pressed={isPressed}
      title={label.split(' ')[0]}
      onClick={onUse}
    >
      <Icon name={icon} filled={isPressed ?? false} />
    </button>
  );
}

/**
 * May this vehicle be bought at its dealer's online shop? Asked once it comes
 * near, and only of listings in that program; until an answer, and when it
 * fails, it may not (B8-ERR-15, AMB-117).
 */
export function useEligibility(
  { id, esntial }: Pick<Listing, 'id' | 'esntial'>,
  place: RefObject<Element | null>,
): boolean {
  const { call } = useSlotEnvironment();
  const [eligibleId, setEligibleId] = useState<string>();
  const isAsked = esntial?.eligibilityService !== undefined;
  useEffect(() => {
    const element = place.current;
    if (!isAsked || !element) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const forget = whenNear(element, () => {
      call('esntialEligibility', { listingId: id }, { signal }).then(
        ({ eligible }) => eligible && !signal.aborted && setEligibleId(id),
        // No answer is a no.
        () => {},
      );
    });
    return () => {
      forget();
      controller.abort();
    };
  }, [call, id, isAsked, place]);
  return eligibleId === id;
}
