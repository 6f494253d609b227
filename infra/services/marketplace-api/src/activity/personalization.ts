import type { SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/shared-contracts/entities/codes';
import { type StockListing, derivedPrice } from '../domain/stock.ts';
import type { ListingIndex, ListingQuery } from '../index/listingIndex.ts';
import type { Personalization } from '../http/callTypes.ts';

/** Views after which a liking shows. */
const MIN_VIEWS = 2;
/** USD; width of the price segments. */
const PRICE_STEP = 10_000;
/** Filters suggested at most. */
const MAX_FILTERS = 3;

interface Liking {
  readonly segment: string;
  readonly views: number;
  readonly filter?: {
    readonly name: string;
    readonly codes: SuggestedFilter['codes'];
    readonly query: ListingQuery;
  };
}

function likingsOf(seen: readonly StockListing[]): Liking[] {
  const likings = new Map<string, Liking>();
  const add = (segment: string, filter?: Liking['filter']) => {
    likings.set(segment, { segment, filter, views: (likings.get(segment)?.views ?? 0) + 1 });
  };
  for (const stock of seen) {
    const { make, model, bodyStyle, fuel } = stock;
    add(`make:${make.code}`, {
      name: make.name,
      codes: { makeCode: [make.code] },
      query: { vehicle: { makes: [make.code], models: [], trims: [] } },
    });
    add(`model:${make.code}.${model.code}`, {
      name: `${make.name} ${model.name}`,
      codes: { makeCode: [make.code], modelCode: [model.code] },
      query: { vehicle: { makes: [make.code], models: [model.code], trims: [] } },
    });
    add(`style:${bodyStyle}`, {
      name: BODY_STYLES[bodyStyle].label,
      codes: { vehicleStyleCode: [bodyStyle] },
      query: { facets: { vehicleStyleCode: [bodyStyle] } },
    });
    add(`fuel:${fuel}`, {
      name: FUEL_GROUPS[fuel],
      codes: { fuelTypeGroup: [fuel] },
      query: { facets: { fuelTypeGroup: [fuel] } },
    });
    const price = derivedPrice(stock);
    if (price !== undefined) {
      const from = Math.floor(price / PRICE_STEP) * PRICE_STEP;
      add(`price:${from}-${from + PRICE_STEP}`);
    }
  }
  return [...likings.values()].sort((a, b) => b.views - a.views || a.segment.localeCompare(b.segment));
}

/**
 * What a visitor seems to like (AMB-181): a segment for everything that at
 * least two of the vehicles they saw have in common, the commonest first, and
 * filters for the first of them that find something.
 */
export function personalize(seen: readonly StockListing[], index: ListingIndex): Personalization {
  const liked = likingsOf(seen).filter(({ views }) => views >= MIN_VIEWS);
  const suggestedFilters = liked
    .flatMap(({ filter }) =>
      filter ? [{ name: filter.name, codes: filter.codes, count: index.count(filter.query) }] : [],
    )
    .filter(({ count }) => count > 0)
    .slice(0, MAX_FILTERS);
  return { segments: liked.map(({ segment }) => segment), suggestedFilters };
}
