import type { SuggestedFilter } from '@forecourt/shared-contracts/entities';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/shared-contracts/entities/codes';
import { type StockListing, derivedPrice } from '../domain/stock.ts';
import type { ListingIndex, ListingQuery } from '../index/listingIndex.ts';
import type { Personalization } from '../http/callTypes.ts';

/** Views from which a preference counts. */
const MIN_VIEWS = 2;
/** US dollars per price segment. */
const PRICE_STEP = 10_000;
/** Most suggested filters. */
const MAX_FILTERS = 3;

interface Preference {
  readonly segment: string;
  readonly views: number;
  readonly filter?: {
    readonly name: string;
    readonly codes: SuggestedFilter['codes'];
    readonly query: ListingQuery;
  };
}

function preferencesOf(seen: readonly StockListing[]): Preference[] {
  const preferences = new Map<string, Preference>();
  const add = (segment: string, filter?: Preference['filter']) => {
    preferences.set(segment, { segment, filter, views: (preferences.get(segment)?.views ?? 0) + 1 });
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
  return [...preferences.values()].sort((a, b) => b.views - a.views || a.segment.localeCompare(b.segment));
}

/**
 * A visitor's preferences (AMB-181): a segment for every property that at least
 * two viewed vehicles share, the most common first, and filters for the first
 * of them with results.
 */
export function personalize(seen: readonly StockListing[], index: ListingIndex): Personalization {
  const preferred = preferencesOf(seen).filter(({ views }) => views >= MIN_VIEWS);
  const suggestedFilters = preferred
    .flatMap(({ filter }) =>
      filter ? [{ name: filter.name, codes: filter.codes, count: index.count(filter.query) }] : [],
    )
    .filter(({ count }) => count > 0)
    .slice(0, MAX_FILTERS);
  return { segments: preferred.map(({ segment }) => segment), suggestedFilters };
}
