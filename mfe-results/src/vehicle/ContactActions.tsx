import type { ReactNode } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass, Icon } from '@forecourt/shared-contracts/ui';
import { CompareControl, compareScreens } from '../compare/CompareControls.tsx';
import { useCompared } from '../compare/compareStore.ts';
import { compareUrl } from '../compare/comparedVehicle.ts';
import { COMPARE_MINIMUM } from '../constants.ts';
import { telUrl, webUrl } from '../listing/sellerActions.ts';
import type { ProgramLink } from './loadVehicle.ts';
import styles from './Vehicle.module.css';

type Contact = 'offer' | 'email' | 'phone' | 'website';

/** The available contacts, the seller's preferred one first (AMB-122). */
function contactsOf(listing: Listing, owner: Owner): readonly Contact[] {
  const isAvailable: Record<Contact, boolean> = {
    offer: owner.privateSeller,
    email: !owner.privateSeller && !owner.hideEmailForm,
    phone: phoneOf(listing, owner) !== undefined,
    website: websiteOf(listing, owner) !== undefined,
  };
  const preferred = owner.privateSeller ? 'offer' : owner.dealerPreferredCTA;
  const order = new Set<Contact>([preferred, 'offer', 'email', 'phone', 'website']);
  return [...order].filter((contact) => isAvailable[contact]);
}

const phoneOf = (listing: Listing, owner: Owner) => listing.phone ?? owner.phone?.value;
const websiteOf = (listing: Listing, owner: Owner) => webUrl(owner.website?.href ?? listing.website?.href);

/** How to reach the seller. Links work without JavaScript. */
export function ContactActions({ listing, owner }: { listing: Listing; owner: Owner }): ReactNode {
  return (
    <div className={styles['contact']} id="contact">
      {contactsOf(listing, owner).map((contact, at) => (
        <ContactAction key={contact} contact={contact} isFirst={at === 0} listing={listing} owner={owner} />
      ))}
    </div>
  );
}

function ContactAction(props: {
  contact: Contact;
  isFirst: boolean;
  listing: Listing;
  owner: Owner;
}): ReactNode {
  const { contact, isFirst, listing, owner } = props;
  const emit = useEmit();
  const variant = isFirst ? 'primary' : 'secondary';
  if (contact === 'phone') {
    const phone = phoneOf(listing, owner) ?? '';
    return (
      <a className={buttonClass(variant)} href={telUrl(phone)}>
        <Icon name="phone" /> {`Call ${phone}`}
      </a>
    );
  }
  if (contact === 'website')
    return (
      <a
        className={buttonClass(variant)}
        href={websiteOf(listing, owner)}
        target="_blank"
        rel="noopener noreferrer"
      >
        Visit website
      </a>
    );
  return (
    <button
      type="button"
      className={buttonClass(variant, styles['scripted'])}
      onClick={() => emit('lead.requested', { listingId: listing.id, kind: contact })}
    >
      {contact === 'offer' ? 'Make Offer' : 'Email Seller'}
    </button>
  );
}

/** Opens what a certified vehicle's program offers (B7-CERT-04). */
export function ProgramAction({ program }: { program: ProgramLink }): ReactNode {
  const { productId, linkText, cpoTile } = program;
  const emit = useEmit();
  return (
    <p className={styles['scripted']}>
      <button
        type="button"
        className={buttonClass('secondary')}
        onClick={() => emit('dialog.requested', { name: 'certifiedProgram', productId })}
      >
        <img src={cpoTile} alt="" width={80} height={16} /> {linkText}
      </button>
    </p>
  );
}

/** Save, compare, share and report, as far as brand and flags offer them. */
export function QuickActions({ listing, owner }: { listing: Listing; owner: Owner }): ReactNode {
  const { id } = listing;
  const emit = useEmit();
  const { brand, flags, savedListingIds } = usePageState(selectSession);
  const { hasShareAndReport } = BRANDS[brand];
  const isSaved = savedListingIds.includes(id);
  const compare = compareScreens(flags);
  const compareClass = `${styles['quickAction']} ${compare === 'large' ? styles['largeOnly'] : ''}`;
  return (
    <div className={styles['quick']}>
      {flags['saveListing'] && (
        <button
          type="button"
          className={`${styles['quickAction']} ${styles['scripted']}`}
          aria-pressed={isSaved}
          data-saves={id}
          onClick={() => emit('listing.saveRequested', { listingId: id })}
        >
          <Icon name={isSaved ? 'heartFilled' : 'heart'} /> <span>{isSaved ? 'Saved' : 'Save'}</span>
        </button>
      )}
      {compare !== 'off' && (
        <>
          <CompareControl
            listing={listing}
            owner={owner}
            className={`${compareClass} ${styles['scripted']}`}
          />
          <ComparisonLink className={compareClass} />
        </>
      )}
      {hasShareAndReport && (
        <QuickAction
          icon="share"
          label="Share"
          onUse={() => emit('listing.shareRequested', { listingId: id })}
        />
      )}
      {hasShareAndReport && flags['reportListing'] && (
        <QuickAction
          icon="flag"
          label="Report"
          onUse={() => emit('listing.reportRequested', { listingId: id })}
        />
      )}
    </div>
  );
}

/** Leads to the comparison once it has enough vehicles. */
function ComparisonLink({ className }: { className: string }): ReactNode {
  const vehicles = useCompared();
  if (vehicles.length < COMPARE_MINIMUM) return null;
  return (
    <a className={className} href={compareUrl(vehicles.map(({ id }) => id))}>
      {`Compare ${vehicles.length} vehicles`}
    </a>
  );
}

function QuickAction({
  icon,
  label,
  onUse,
}: {
  icon: Parameters<typeof Icon>[0]['name'];
  label: string;
  onUse: () => void;
}): ReactNode {
  return (
    <button type="button" className={`${styles['quickAction']} ${styles['scripted']}`} onClick={onUse}>
      <Icon name={icon} /> {label}
    </button>
  );
}
