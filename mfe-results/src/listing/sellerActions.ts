import type { Listing, Owner } from '@forecourt/upstream/entities';

/** A contact action. `email` and `offer` open a dialog, the others are links. */
export type SellerAction =
  | { readonly kind: 'email' | 'offer'; readonly label: string }
  | { readonly kind: 'call' | 'website'; readonly label: string; readonly href: string };

export interface SellerActions {
  /** The card's main button. */
  readonly primary?: SellerAction;
  /** A dealer's further actions, in the card's menu. */
  readonly more: readonly SellerAction[];
  /** Call link for small screens only. */
  readonly smallScreenCall?: SellerAction;
}

/** What a card knows of the dealer's online shop; `late` if it learned after it was shown. */
export type Shop = 'open' | 'late' | 'none';

/** A one-click email needs no form, which its button says. */
export const emailLabel = (isOneClick: boolean): string =>
  isOneClick ? 'Send 1-Click Email' : 'Email Seller';
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
 * of the online-commerce program links to the shop: first, or among the further actions if it is deemphasized or late.
 */
export function sellerActions(
  original: Listing,
  owner: Owner | undefined,
  { shop = 'none', isOneClick = false }: { readonly shop?: Shop; readonly isOneClick?: boolean } = {},
): SellerActions {
  if (owner?.privateSeller) return { primary: OFFER, more: [] };
  const listing = withEligibility(original, shop !== 'none');
  const phone = listing.phone ?? owner?.phone?.value;
  const website = websiteOf(listing, owner, original.esntial !== undefined);
  const call = phone ? ({ kind: 'call', label: 'Call Seller', href: telUrl(phone) } as const) : undefined;
  const link = website
    ? ({ kind: 'website', label: listing.esntial ? 'Buy Online' : 'Visit Website', href: website } as const)
    : undefined;
  const email = owner?.hideEmailForm
    ? undefined
    : ({ kind: 'email', label: emailLabel(isOneClick) } as const);
  const firstLink = shop === 'late' ? undefined : link;
  const preferred = { email, phone: call, website: firstLink }[owner?.dealerPreferredCTA ?? 'email'];
  const isShop = listing.esntial !== undefined && link !== undefined;
  const isShopFirst = isShop && !listing.esntial?.deemphasized;
  const primary = (isShopFirst ? firstLink : undefined) ?? preferred ?? email ?? call ?? firstLink;
  const smallScreenCall = primary === call ? undefined : call;
  return {
    ...(primary && { primary }),
    more: [isShop ? link : undefined, email]
      .filter((action) => action !== primary)
      .filter((action) => action !== undefined),
    ...(smallScreenCall && { smallScreenCall }),
  };
}
