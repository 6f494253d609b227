import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useEmit, usePageState } from '@forecourt/slots';
import { buttonClass, Icon } from '@forecourt/slots/ui';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { emailLabel, telUrl, webUrl } from '../listing/sellerActions.ts';
import { useBottomEdge } from '../browser/useBottomEdge.ts';
import { useScrollRoom } from '../browser/useScrollRoom.ts';
import styles from './ContactActions.module.css';

/** The bar on small screens has room for two. */
const MAX_CONTACTS = 2;

type Contact = 'offer' | 'email' | 'phone' | 'website';

/** The available contacts, the seller's preferred one first. */
function contactsOf(listing: Listing, owner: Owner): readonly Contact[] {
  const isAvailable: Record<Contact, boolean> = {
    offer: owner.privateSeller,
    email: !owner.privateSeller && !owner.hideEmailForm,
    phone: phoneOf(listing, owner) !== undefined,
    // Otherwise a link in the seller's panel.
    website: owner.dealerPreferredCTA === 'website' && websiteOf(listing, owner) !== undefined,
  };
  const preferred = owner.privateSeller ? 'offer' : owner.dealerPreferredCTA;
  const order = new Set<Contact>([preferred, 'offer', 'email', 'phone', 'website']);
  return [...order].filter((contact) => isAvailable[contact]);
}

const phoneOf = (listing: Listing, owner: Owner) => listing.phone ?? owner.phone?.value;
/** The seller's website, or the vehicle's on it. */
export const websiteOf = (listing: Listing, owner: Owner) =>
  webUrl(owner.website?.href ?? listing.website?.href);

/** Height of the bar in px; 0 where the contacts aren't a bar. */
function useBarHeight(bar: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!bar.current) return undefined;
    const { current } = bar;
    const measure = () =>
      setHeight(getComputedStyle(current).position === 'fixed' ? current.offsetHeight : 0);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [bar]);
  return height;
}

/**
 * How to reach the seller. On small screens a bar at the bottom edge that repeats the price, which screen readers have
 * read above. Links work without JavaScript.
 */
export function ContactActions(props: {
  listing: Listing;
  owner: Owner;
  price: string;
  /** 'Est. $188/mo'. */
  monthly: string | undefined;
}): ReactNode {
  const { listing, owner, price, monthly } = props;
  const bar = useRef<HTMLDivElement>(null);
  const height = useBarHeight(bar);
  useBottomEdge('contacts', height);
  useScrollRoom(height);
  const contacts = contactsOf(listing, owner);
  return (
    <div ref={bar} className={styles['contact']} id="contact" data-price={price} data-monthly={monthly}>
      {contacts.slice(0, MAX_CONTACTS).map((contact, at) => (
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
  const isOneClick = usePageState(({ session }) => session.emailsInOneClick);
  const variant = isFirst ? 'primary' : 'secondary';
  if (contact === 'phone') {
    const phone = phoneOf(listing, owner) ?? '';
    return (
      <a className={buttonClass(variant)} href={telUrl(phone)}>
        <Icon name="phone" />
        <span>
          Call <span className={styles['number']}>{phone}</span>
        </span>
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
        Visit Website
      </a>
    );
  return (
    <button
      type="button"
      className={buttonClass(variant, styles['scripted'])}
      onClick={() => emit('lead.requested', { listingId: listing.id, kind: contact })}
    >
      {contact === 'offer' ? 'Make Offer' : emailLabel(isOneClick)}
    </button>
  );
}
