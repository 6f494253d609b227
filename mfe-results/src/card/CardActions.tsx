import { useRef, type ReactNode, useEffect, useState, type RefObject } from 'react';
import { useEmit, useSlotEnvironment } from '@forecourt/slots';
import { buttonClass, iconClass } from '@forecourt/slots/ui';
import type { Listing } from '@forecourt/upstream/entities';
import type { ListingCardProps } from './cardState.ts';
import { sellerActions, type SellerAction } from '../listing/sellerActions.ts';
import styles from './CardActions.module.css';
import { whenNear } from '../browser/lazyLoading.tsx';
import { CompareControl } from '../compare/CompareControl.tsx';

/** Contact, save, compare, share and report actions. Save is placed over the picture. */
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

/** The save button; another remote stores saved listings. */
function SaveControl(props: { id: string; title: string; isSaved: boolean }): ReactNode {
  const { id, title, isSaved } = props;
  const emit = useEmit();
  const use = () => {
    emit('page.tracked', { kind: 'click', name: 'saveListing', listingId: id });
    emit('listing.saveRequested', { listingId: id });
  };
  return (
    <IconAction
      icon={isSaved ? 'heartFilled' : 'heart'}
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
  const contactProps = { listingId: id, title, isContacted };
  const contacts = [
    primary && <Contact key={primary.kind} {...contactProps} action={primary} variant="primary" />,
    secondary && <Contact key={secondary.kind} {...contactProps} action={secondary} variant="secondary" />,
  ];
  // The email button keeps its place when the shop becomes available.
  if (isShopPossible && primary?.kind !== 'email') contacts.reverse();
  return (
    <div ref={row} className={`${styles['contact']} ${isShopPossible && secondary ? styles['places'] : ''}`}>
      {contacts}
      {smallScreenCall && (
        <Contact
          key="small screen"
          {...contactProps}
          action={smallScreenCall}
          variant="secondary"
          className={`${styles['smallOnly']} ${secondary ? styles['third'] : ''}`}
        />
      )}
    </div>
  );
}

/** Labels for sellers that the shopper has contacted. */
const SENT_LABELS = { email: 'Email Sent', offer: 'Offer Sent' } as const;

function Contact(props: {
  action: SellerAction;
  variant: 'primary' | 'secondary';
  listingId: string;
  title: string;
  isContacted: boolean;
  className?: string | undefined;
}): ReactNode {
  const { action, variant, listingId, title, isContacted, className } = props;
  const emit = useEmit();
  const classes = [styles['cta'], variant === 'primary' && styles['lead'], className]
    .filter(Boolean)
    .join(' ');
  if ('href' in action)
    return (
      <a
        className={buttonClass(
          variant,
          action.kind === 'call' ? `${iconClass('phone', 18)} ${classes}` : classes,
        )}
        href={action.href}
        aria-label={`${action.label} about ${title}`}
        onClick={() => emit('page.tracked', { kind: 'click', name: action.kind, listingId })}
        {...(action.kind === 'website' && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {action.label}
      </a>
    );
  const { kind } = action;
  // Decorative: the card's own link covers it.
  if (kind === 'details')
    return (
      <span className={buttonClass(variant, `${styles['own']} ${classes}`)} aria-hidden="true">
        {action.label}
      </span>
    );
  const label = isContacted ? SENT_LABELS[kind] : action.label;
  const open = () => {
    emit('page.tracked', { kind: 'click', name: kind, listingId });
    emit('lead.requested', { listingId, kind });
  };
  return (
    <button
      type="button"
      className={buttonClass(
        variant,
        `${isContacted ? iconClass('check', 18) : ''} ${classes} ${styles['scripted']}`,
      )}
      aria-label={`${label} about ${title}`}
      onClick={open}
    >
      {label}
    </button>
  );
}

function IconAction(props: {
  icon: Parameters<typeof iconClass>[0];
  label: string;
  isPressed?: boolean;
  className?: string | undefined;
  onUse: () => void;
}): ReactNode {
  const { icon, label, isPressed, className, onUse } = props;
  return (
    <button
      type="button"
      className={[styles['icon'], iconClass(icon), className].filter(Boolean).join(' ')}
      aria-label={label}
      aria-pressed={isPressed}
      title={label.split(' ')[0]}
      onClick={onUse}
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
