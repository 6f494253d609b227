import type { ReactNode } from 'react';
import { useEmit } from '@forecourt/slots';
import { buttonClass, Icon } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { telUrl, webUrl } from '../listing/sellerActions.ts';
import styles from './ContactActions.module.css';

type Contact = 'offer' | 'email' | 'phone' | 'website';

/** The available contacts, the seller's preferred one first. */
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
