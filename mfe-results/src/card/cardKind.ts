import type { detailUrl } from '@forecourt/shared-contracts/url';

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
