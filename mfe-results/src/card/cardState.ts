import { useMemo } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { readPaymentLimit } from '@forecourt/search/criteria';
import { selectSession } from '@forecourt/search/state';
import type { detailUrl } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { compareScreens, type CompareScreens } from '../compare/CompareControl.tsx';
import { termsOf, type Terms } from '../listing/price.ts';

type ClickType = Parameters<typeof detailUrl>[1];

/** Kinds of vehicle tiles in the grid. */
export type TileKind = 'listing' | 'premium' | 'fourthTier' | 'boost' | 'extraSpotlight' | 'highlight';

/** A tile's kind in the grid, or the carousel or block that contains the card. */
export type CardKind = TileKind | 'carousel' | 'similar' | 'supplemental' | 'nearby';

const CARD_KINDS: Readonly<Record<CardKind, { isSponsored: boolean; clickType: ClickType }>> = {
  listing: { isSponsored: false, clickType: 'listing' },
  premium: { isSponsored: true, clickType: 'spotlight' },
  carousel: { isSponsored: true, clickType: 'spotlight' },
  fourthTier: { isSponsored: true, clickType: 'spotlight' },
  extraSpotlight: { isSponsored: true, clickType: 'spotlight' },
  boost: { isSponsored: true, clickType: 'boost' },
  highlight: { isSponsored: true, clickType: 'highlight' },
  similar: { isSponsored: false, clickType: 'similar' },
  supplemental: { isSponsored: false, clickType: 'supplemental' },
  nearby: { isSponsored: false, clickType: 'nearby' },
};

/** Paid placements are labeled. */
export const isSponsored = (kind: CardKind): boolean => CARD_KINDS[kind].isSponsored;

/** The click type in the card's link to the vehicle page. */
export const clickTypeOf = (kind: CardKind): ClickType => CARD_KINDS[kind].clickType;

/** Options for all cards of the page, from brand, flags and visitor. */
export interface CardOptions {
  readonly hasPayments: boolean;
  readonly hasPaymentsPopover: boolean;
  readonly hasShareAndReport: boolean;
  readonly canSave: boolean;
  readonly canReport: boolean;
  readonly emailsInOneClick: boolean;
  readonly compare: CompareScreens;
  /** Terms of the search's payment filter, otherwise the visitor's own. */
  readonly terms?: Terms;
}

/** The visitor's history with one vehicle. */
export interface VehicleMarks {
  readonly isSaved: boolean;
  /** The visitor contacted its seller. */
  readonly isContacted: boolean;
}

export interface ListingCardProps extends CardOptions, VehicleMarks {
  readonly listing: Listing;
  readonly owner: Owner | undefined;
  readonly kind: CardKind;
  readonly position: number;
  /** Zero-based index of the loaded page of results; undefined outside of the grid. */
  readonly page?: number;
  /** The picture loads eagerly. */
  readonly isEager: boolean;
}

/** The card options of this page; the object is stable while nothing changes. */
export function useCardOptions(): CardOptions {
  const { brand, flags, showsPayments, wallet, emailsInOneClick } = usePageState(selectSession);
  const paymentLimit = usePageState(({ search }) => search.criteria.filters.monthlyPayment?.[0]);
  return useMemo(() => {
    const isOn = (flag: string) => flags[flag] ?? false;
    const limit = readPaymentLimit(paymentLimit ?? '');
    const terms = limit?.terms ?? (wallet ? termsOf(wallet) : undefined);
    return {
      // A visitor who once turned payments on may return to a page without the wallet.
      hasPayments: (showsPayments || limit !== undefined) && isOn('wallet'),
      ...(terms && { terms }),
      hasPaymentsPopover: isOn('paymentsPopover'),
      hasShareAndReport: BRANDS[brand].hasShareAndReport,
      canSave: isOn('saveListing'),
      canReport: isOn('reportListing'),
      emailsInOneClick,
      compare: compareScreens(flags),
    };
  }, [brand, flags, showsPayments, wallet, emailsInOneClick, paymentLimit]);
}

/** Listing ids that the visitor saved or contacted the seller about. */
export interface CardMarks {
  readonly saved: ReadonlySet<string>;
  readonly contacted: ReadonlySet<string>;
}

/** Read once for all cards of a list: hundreds of store subscriptions would slow down every change. */
export function useCardMarks(): CardMarks {
  const savedIds = usePageState(({ session }) => session.savedListingIds);
  const contactedIds = usePageState(({ session }) => session.contactedListingIds);
  return useMemo(
    () => ({ saved: new Set(savedIds), contacted: new Set(contactedIds) }),
    [savedIds, contactedIds],
  );
}

export const marksOf = ({ saved, contacted }: CardMarks, listingId: string): VehicleMarks => ({
  isSaved: saved.has(listingId),
  isContacted: contacted.has(listingId),
});

export const hasSameMarks = (before: CardMarks, after: CardMarks, listingId: string): boolean =>
  before === after ||
  (before.saved.has(listingId) === after.saved.has(listingId) &&
    before.contacted.has(listingId) === after.contacted.has(listingId));
