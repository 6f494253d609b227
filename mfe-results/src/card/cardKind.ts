import type { ClickType } from '@forecourt/shared-contracts/url';

/** Kinds of vehicle tiles in the grid. */
export type TileKind = 'listing' | 'premium' | 'fourthTier' | 'boost' | 'extraSpotlight' | 'highlight';

/** Where a card stands: a tile of the grid, or the carousel or a block of its own. */
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

/** What the card's link tells the vehicle page. */
export const clickTypeOf = (kind: CardKind): ClickType => CARD_KINDS[kind].clickType;
