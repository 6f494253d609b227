import type { Listing, Owner } from '@forecourt/shared-contracts/entities';

/** One way to the seller. `email` and `offer` open a dialog, the others are links. */
export type SellerAction =
  | { readonly kind: 'email' | 'offer'; readonly label: string }
  | { readonly kind: 'call' | 'website'; readonly label: string; readonly href: string };

export interface SellerActions {
  readonly primary?: SellerAction;
  /** A dealer's second way, on every screen. */
  readonly secondary?: SellerAction;
  /** The call link that only small screens show (B1-OFFER-10). */
  readonly smallScreenCall?: SellerAction;
}

const EMAIL = { kind: 'email', label: 'Email Seller' } as const;
const OFFER = { kind: 'offer', label: 'Make Offer' } as const;

/** 'tel:+13125550100' of a US number in any usual writing. */
export function telUrl(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`;
}

/** Only web pages are linked: the address is the seller's own text. */
const webUrl = (href: string | undefined) => (href && /^https?:\/\//i.test(href) ? href : undefined);

/**
 * The contact actions of a card. A private seller takes offers (B1-OFFER-08);
 * a dealer's preferred action is the primary one, and email stays beside it
 * (B1-OFFER-09) unless the dealer takes no email: then phone or website serve
 * (AMB-122).
 */
export function sellerActions(listing: Listing, owner: Owner | undefined): SellerActions {
  if (owner?.privateSeller) return { primary: OFFER };
  const phone = listing.phone ?? owner?.phone?.value;
  const website = webUrl(owner?.website?.href ?? listing.website?.href);
  const call = phone ? ({ kind: 'call', label: 'Call Seller', href: telUrl(phone) } as const) : undefined;
  const visit = website ? ({ kind: 'website', label: 'Visit Website', href: website } as const) : undefined;
  const email = owner?.hideEmailForm ? undefined : EMAIL;
  const preferred = { email, phone: call, website: visit }[owner?.dealerPreferredCTA ?? 'email'];
  const primary = preferred ?? email ?? call ?? visit;
  const secondary = primary === email ? undefined : email;
  const smallScreenCall = primary === call ? undefined : call;
  return {
    ...(primary && { primary }),
    ...(secondary && { secondary }),
    ...(smallScreenCall && { smallScreenCall }),
  };
}
