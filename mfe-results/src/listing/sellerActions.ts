import type { Listing, Owner } from '@forecourt/shared-contracts/entities';

/** One way to the seller. `email` and `offer` open a dialog, `details` is the card's own link, the others are links. */
export type SellerAction =
  | { readonly kind: 'email' | 'offer'; readonly label: string }
  | { readonly kind: 'call' | 'website'; readonly label: string; readonly href: string }
  | { readonly kind: 'details'; readonly label: string };

export interface SellerActions {
  readonly primary?: SellerAction;
  /** A dealer's second way, on every screen. */
  readonly secondary?: SellerAction;
  /** The call link that only small screens show (B1-OFFER-10). */
  readonly smallScreenCall?: SellerAction;
  /** One of them may become the link to the dealer's shop: all keep their places until that is known. */
  readonly isShopPossible: boolean;
}

const EMAIL = { kind: 'email', label: 'Email Seller' } as const;
const OFFER = { kind: 'offer', label: 'Make Offer' } as const;
const DETAILS = { kind: 'details', label: 'View Details' } as const;

/** 'tel:+13125550100' of a US number in any usual writing. */
export function telUrl(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`;
}

/** Only web pages are linked: the address is the seller's own text. */
export const webUrl = (href: string | undefined): string | undefined =>
  href !== undefined && /^https?:\/\//i.test(href) && URL.canParse(href) ? href : undefined;

/**
 * A listing of the online-commerce program keeps its fields only while it is
 * eligible; otherwise neither they nor the website are there (B4-ESN-01, AMB-117).
 */
export function withEligibility(listing: Listing, isEligible: boolean): Listing {
  if (!listing.esntial || isEligible) return listing;
  const { esntial: _, website: __, ...rest } = listing;
  return rest;
}

/** The seller's website, or its shop for this very vehicle; `isCommerce` listings without it have none. */
function websiteOf(listing: Listing, owner: Owner | undefined, isCommerce: boolean): string | undefined {
  const shop = webUrl(listing.esntial?.ecommWebsite);
  if (shop || isCommerce) return shop ?? webUrl(listing.website?.href);
  return webUrl(owner?.website?.href ?? listing.website?.href);
}

/**
 * The contact actions of a card. A private seller takes offers (B1-OFFER-08);
 * a dealer's preferred action is the primary one, and email stays beside it
 * (B1-OFFER-09) unless the dealer takes no email: then phone or website serve
 * (AMB-122). An eligible vehicle of the online-commerce program can be bought
 * at the dealer's shop: as the primary way, or deemphasized as the second
 * (AMB-117). While that is not known, and when it is not so, 'View Details'
 * stands where the link to the shop would.
 */
export function sellerActions(
  given: Listing,
  owner: Owner | undefined,
  { isEligible = false }: { readonly isEligible?: boolean } = {},
): SellerActions {
  if (owner?.privateSeller) return { primary: OFFER, isShopPossible: false };
  const listing = withEligibility(given, isEligible);
  const phone = listing.phone ?? owner?.phone?.value;
  const website = websiteOf(listing, owner, given.esntial !== undefined);
  const call = phone ? ({ kind: 'call', label: 'Call Seller', href: telUrl(phone) } as const) : undefined;
  const visit = website
    ? ({ kind: 'website', label: listing.esntial ? 'Buy Online' : 'Visit Website', href: website } as const)
    : undefined;
  const email = owner?.hideEmailForm ? undefined : EMAIL;
  const preferred = { email, phone: call, website: visit }[owner?.dealerPreferredCTA ?? 'email'];
  const ordinary = preferred ?? email ?? call ?? visit;
  const isShop = listing.esntial !== undefined && visit !== undefined;
  const isShopPossible = websiteOf(given, owner, true) !== undefined && given.esntial !== undefined;
  const primary = isShop && !listing.esntial?.deemphasized ? visit : ordinary;
  const beside = primary === email ? undefined : email;
  const inPlaceOfShop = isShopPossible && !isShop && primary === email ? DETAILS : undefined;
  const secondary = (isShop && primary !== visit ? visit : beside) ?? inPlaceOfShop;
  const smallScreenCall = primary === call ? undefined : call;
  return {
    ...(primary && { primary }),
    ...(secondary && { secondary }),
    ...(smallScreenCall && { smallScreenCall }),
    isShopPossible,
  };
}
