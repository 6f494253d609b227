import type { Listing, Owner } from '@forecourt/upstream/entities';

/** A contact action. `email` and `offer` open a dialog, the others are links. */
export type SellerAction =
  | { readonly kind: 'email' | 'offer'; readonly label: string }
  | { readonly kind: 'call' | 'website'; readonly label: string; readonly href: string };

export interface SellerActions {
  /** The card's main button. */
  readonly primary?: SellerAction;
  /** A dealer's second action, in the card's menu. */
  readonly secondary?: SellerAction;
  /** Call link for small screens only. */
  readonly smallScreenCall?: SellerAction;
}

const EMAIL = { kind: 'email', label: 'Email Seller' } as const;
const OFFER = { kind: 'offer', label: 'Make Offer' } as const;

/** 'tel:+13125550100'; accepts US numbers in any common format. */
export function telUrl(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`;
}

/** Sellers enter their own URLs: only http(s) is linked. */
export const webUrl = (href: string | undefined): string | undefined =>
  href !== undefined && /^https?:\/\//i.test(href) && URL.canParse(href) ? href : undefined;

/** Removes the online-commerce fields and the website of a listing that is not eligible. */
function withEligibility(listing: Listing, isEligible: boolean): Listing {
  if (!listing.esntial || isEligible) return listing;
  const { esntial: _, website: __, ...rest } = listing;
  return rest;
}

/** The seller's website or its shop for this vehicle; listings with `isCommerce` never use the owner's website. */
function websiteOf(listing: Listing, owner: Owner | undefined, isCommerce: boolean): string | undefined {
  const shop = webUrl(listing.esntial?.ecommWebsite);
  if (shop || isCommerce) return shop ?? webUrl(listing.website?.href);
  return webUrl(owner?.website?.href ?? listing.website?.href);
}

/**
 * The contact actions of a card. A private seller takes offers. A dealer's preferred action
 * comes first, with email second unless the dealer takes no email. An eligible vehicle
 * of the online-commerce program links to the shop, first or (deemphasized) second.
 */
export function sellerActions(
  original: Listing,
  owner: Owner | undefined,
  { isEligible = false }: { readonly isEligible?: boolean } = {},
): SellerActions {
  if (owner?.privateSeller) return { primary: OFFER };
  const listing = withEligibility(original, isEligible);
  const phone = listing.phone ?? owner?.phone?.value;
  const website = websiteOf(listing, owner, original.esntial !== undefined);
  const call = phone ? ({ kind: 'call', label: 'Call Seller', href: telUrl(phone) } as const) : undefined;
  const linkAction = website
    ? ({ kind: 'website', label: listing.esntial ? 'Buy Online' : 'Visit Website', href: website } as const)
    : undefined;
  const email = owner?.hideEmailForm ? undefined : EMAIL;
  const preferred = { email, phone: call, website: linkAction }[owner?.dealerPreferredCTA ?? 'email'];
  const defaultAction = preferred ?? email ?? call ?? linkAction;
  const isShop = listing.esntial !== undefined && linkAction !== undefined;
  const primary = isShop && !listing.esntial?.deemphasized ? linkAction : defaultAction;
  const emailAction = primary === email ? undefined : email;
  const secondary = isShop && primary !== linkAction ? linkAction : emailAction;
  const smallScreenCall = primary === call ? undefined : call;
  return {
    ...(primary && { primary }),
    ...(secondary && { secondary }),
    ...(smallScreenCall && { smallScreenCall }),
  };
}
