import { conditionSummary, type FilterName, priceText, yearText } from '@forecourt/search/catalog';
import { type SearchCriteria, singleValue } from '@forecourt/search/criteria';
import { formatCount, formatNumber } from '@forecourt/search/format';
import { BOTTOM_BLOCK_MAX_RESULTS } from '@forecourt/upstream/agreements';
import type { Filter, SearchPageData, SearchResponse, SuggestedFilter } from '@forecourt/upstream/entities';
import type { DroppableFilter, FacetCounts, SearchHits } from '../listingIndex/listingIndex.ts';
import { SIGNED_OUT_SAVED_SEARCHES } from '../../domain/savedSearches.ts';
import type { Place } from '../../domain/places/index.ts';

/** Filters offered as suggestions, and as strong attributes. */
const SUGGESTED: readonly FilterName[] = [
  'dealType',
  'listingType',
  'mileage',
  'vehicleStyleCode',
  'fuelTypeGroup',
  'driveGroup',
  'sellerType',
  'homeServices',
];
const STRONG: readonly FilterName[] = [
  'featureCode',
  'vehicleHistoryType',
  'transmissionCode',
  'extColorSimple',
];

const MAX_SUGGESTIONS = 6;
/** Share of the results that a useful option keeps, ideally a third. */
const USEFUL_SHARE = { least: 0.03, most: 0.8, best: 1 / 3 } as const;

/** Options of unused filters that split the results well, the best first. */
function usefulOptions(
  filters: readonly Filter[],
  names: readonly FilterName[],
  total: number,
  perFilter: number,
): SuggestedFilter[] {
  const distance = (count: number) => Math.abs(count / total - USEFUL_SHARE.best);
  return names
    .flatMap((name) => {
      const filter = filters.find((candidate) => candidate.name === name);
      if (!filter || filter.value) return [];
      return filter.options
        .flatMap(({ label, value, count = 0 }) =>
          count >= total * USEFUL_SHARE.least && count <= total * USEFUL_SHARE.most
            ? [{ name: label, count, codes: { [name]: [value] } }]
            : [],
        )
        .sort((a, b) => distance(a.count) - distance(b.count))
        .slice(0, perFilter);
    })
    .sort((a, b) => distance(a.count) - distance(b.count))
    .slice(0, MAX_SUGGESTIONS);
}

/** Filters offered as chips, with the counts of their options. */
export const suggestFilters = (filters: readonly Filter[], total: number): SuggestedFilter[] =>
  total === 0 ? [] : usefulOptions(filters, SUGGESTED, total, 1);

/** Attributes that distinguish the results. */
export const strongAttributes = (filters: readonly Filter[], total: number): SuggestedFilter[] =>
  total === 0 ? [] : usefulOptions(filters, STRONG, total, 2);

/** Filter sections whose names differ from those in the index. */
const SECTION_OF: Partial<Record<DroppableFilter, string>> = {
  make: 'makeCode',
  model: 'modelCode',
  trim: 'trimCode',
  year: 'yearRange',
  price: 'priceRange',
  mpg: 'mpgRange',
  electricRange: 'electricMileRange',
};

/** Filters whose removal brings more results, the most first; only if there are few results. */
export function nearMisses(counts: FacetCounts, total: number): SearchResponse['nearMisses'][number][] {
  if (total > BOTTOM_BLOCK_MAX_RESULTS) return [];
  return [...counts.totalWithout]
    .filter(([, count]) => count > total)
    .map(([name, count]) => ({ name: SECTION_OF[name] ?? name, count }))
    .sort((a, b) => b.count - a.count);
}

const MAX_SUGGESTED = 3;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/-(?=\d)/g, '')
    .split(/[\s/-]+/)
    .filter(Boolean);

/** One name starts with all words of the other ('F-150', 'F-150 Lightning'), or both with the same word. */
function areAlike(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = left.findIndex((word, at) => word !== right[at]);
  const same = shared < 0 ? left.length : shared;
  return same === Math.min(left.length, right.length) || (same > 0 && /^[a-z]{4,}$/.test(left[0]!));
}

/**
 * Models that the shopper may have meant: similar names
 * of the same make with more results. Only if the chosen model has few results,
 * because the page interrupts with a dialog.
 */
function suggestModels(
  criteria: SearchCriteria,
  counts: FacetCounts | undefined,
  total: number,
): SearchResponse['pageData']['suggestedModels'][number][] {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (!counts || !makeCode || !modelCode || total > BOTTOM_BLOCK_MAX_RESULTS) return [];
  const chosen = counts.models.find(({ code }) => code.toUpperCase() === modelCode.toUpperCase());
  if (!chosen?.make) return [];
  const { make, name } = chosen;
  return counts.models
    .filter((model) => model.code !== chosen.code && model.make?.code === make.code)
    .filter((model) => model.count > total && areAlike(model.name, name))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, MAX_SUGGESTED)
    .map((model) => ({
      selectedMakeDescription: make.name,
      selectedModelDescription: name,
      suggestedMakeCode: make.code,
      suggestedModelCode: model.code,
      suggestedMakeDescription: make.name,
      suggestedModelDescription: model.name,
    }));
}

/** Names of the chosen make, model and trim. */
export interface VehicleNames {
  readonly make?: string;
  readonly model?: string;
  readonly trim?: string;
}

const listings = (count: number) => formatCount(count, 'listing');

const vehicleWords = ({ make, model, trim }: VehicleNames) =>
  [make, make && model, model && trim].filter(Boolean);

/** 'Used Ford F150 under $20,000 in Chicago, IL'. */
function describe(criteria: SearchCriteria, names: VehicleNames, place: Place | undefined): string {
  const { filters } = criteria;
  const vehicle = vehicleWords(names);
  return [
    conditionSummary(filters.listingType ?? []),
    yearText(filters),
    ...(vehicle.length > 0 ? vehicle : ['vehicles']),
    priceText(filters)?.toLowerCase(),
    // With a map area, a ZIP only says where distances are measured from.
    place && (!filters.area || filters.searchRadius) && `in ${place.city}, ${place.state}`,
  ]
    .filter(Boolean)
    .join(' ')
    .replace(/^\w/, (letter) => letter.toUpperCase());
}

/** Number, prices and years of the results. */
function summaryText({ total, stats }: SearchHits): string {
  const { price, year } = stats;
  const prices = price && ` for $${formatNumber(price.min)} to $${formatNumber(price.max)}`;
  const years =
    year && (year.min === year.max ? ` Model year ${year.min}.` : ` Model years ${year.min} to ${year.max}.`);
  return `${listings(total)}${prices ?? ''}.${years ?? ''}`;
}

/** Targeting values of the ad slots. */
function adTargeting(criteria: SearchCriteria, place: Place | undefined): Record<string, string> {
  const { filters } = criteria;
  const values = {
    make: filters.makeCode?.join(','),
    model: filters.modelCode?.join(','),
    style: filters.vehicleStyleCode?.join(','),
    condition: filters.listingType?.join(','),
    zip: filters.zip?.[0],
    state: place?.state,
    dma: place?.dma,
  };
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]));
}

/** Page data of a response. */
export function buildPageData(
  criteria: SearchCriteria,
  hits: SearchHits,
  names: VehicleNames,
  place: Place | undefined,
): SearchPageData {
  const heading = describe(criteria, names, place);
  return {
    summaryContentData: { heading, text: summaryText(hits) },
    saveSearchData: {
      saveSearchString: heading,
      saveSearchInstrText: 'Save this search to get alerts about new listings and price drops.',
      textModalDisclaimer: `Without an account you can save up to ${SIGNED_OUT_SAVED_SEARCHES} searches.`,
      subscribed: false,
    },
    marketExtensionDma: place?.dma,
    unknownZip: place ? undefined : criteria.filters.zip?.[0],
    ad: adTargeting(criteria, place),
    suggestedModels: suggestModels(criteria, hits.counts, hits.total),
  };
}

/** A paragraph about the make of a search. */
export function buildMakeSummary(
  criteria: SearchCriteria,
  hits: SearchHits,
  names: VehicleNames,
): SearchResponse['makeSummaryData'] {
  const makeCode = singleValue(criteria, 'makeCode');
  if (!makeCode || !names.make) return undefined;
  return { makeCode, heading: `About these ${names.make} vehicles`, text: summaryText(hits) };
}
