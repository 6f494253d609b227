import {
  hasPlace,
  type FilterValues,
  EMPTY_SLUG_REFERENCE,
  withValues,
  withoutParams,
  type SearchCriteria,
} from '@forecourt/search/criteria';
import { encodeUrl } from '@forecourt/search/url';
import type { CrawlLink } from '@forecourt/upstream/entities';
import type { ReferenceData } from '../data/loadReference.ts';

/** Year lists with fewer entries stay unchanged. */
const YEAR_LIST_TRUNCATED_FROM = 5;

/** Maximum entries of a truncated year list, and of a price list. */
const YEAR_LIST_MAX = 11;

/** Characters of a trim name before its ellipsis. */
const TRIM_NAME_MAX = 30;

/** A row of a price list: a model year or a trim. USD; unknown prices are missing. */
export interface PriceRow {
  readonly key: string;
  readonly name: string;
  /** The full name if `name` is truncated. */
  readonly fullName?: string;
  /** Nationwide search of the year or trim. */
  readonly link: string;
  /** Filters of the year or trim. */
  readonly own: FilterValues;
  readonly count: number;
  readonly average?: number;
  readonly starting?: number;
  readonly top?: number;
}

const toRow = (entry: CrawlLink, name: string, own: FilterValues): PriceRow => ({
  key: entry.value,
  name,
  ...(name !== entry.label && { fullName: entry.label }),
  link: entry.link,
  own,
  count: entry.count,
  average: entry.avgPrice,
  starting: entry.startingPrice,
  top: entry.maxPrice,
});

/** Model years; lists of five or more are cut to the latest eleven. */
export const yearRows = (years: readonly CrawlLink[]): readonly PriceRow[] =>
  truncateYears(years).map((entry) =>
    toRow(entry, entry.label, { startYear: [entry.value], endYear: [entry.value] }),
  );

/** At most eleven trims, with truncated names. */
export const trimRows = (trims: readonly CrawlLink[]): readonly PriceRow[] =>
  trims
    .slice(0, YEAR_LIST_MAX)
    .map((entry) => toRow(entry, shortTrimName(entry.label), { trimCode: [entry.value] }));

/** A line of the chart; positions in percent of the scale. */
interface ChartLine {
  readonly key: string;
  readonly name: string;
  readonly average: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

export interface PriceChart {
  readonly lines: readonly ChartLine[];
  /** Ends of the scale, USD. */
  readonly lowest: number;
  readonly highest: number;
}

/** Rows with an average price on a common scale; undefined for fewer than two. */
export function priceChart(rows: readonly PriceRow[]): PriceChart | undefined {
  const priced = rows.flatMap((row) =>
    row.average === undefined
      ? []
      : [
          {
            ...row,
            average: row.average,
            starting: Math.min(row.starting ?? row.average, row.average),
            top: Math.max(row.top ?? row.average, row.average),
          },
        ],
  );
  if (priced.length < 2) return undefined;
  const lowest = Math.min(...priced.map(({ starting }) => starting));
  const highest = Math.max(...priced.map(({ top }) => top));
  const position = (price: number) =>
    highest === lowest ? 50 : ((price - lowest) / (highest - lowest)) * 100;
  return {
    lowest,
    highest,
    lines: priced.map(({ key, name, average, starting, top }) => ({
      key,
      name,
      average,
      from: position(starting),
      to: position(top),
      at: position(average),
    })),
  };
}

/** The search behind the great-price count: nationwide, great prices only. A search without a place is nationwide already. */
export function greatPriceHref(criteria: SearchCriteria): string {
  const nationwide = hasPlace(criteria.filters)
    ? withValues(withoutParams(criteria.filters, ['area']), 'searchRadius', ['0'])
    : withoutParams(criteria.filters, ['searchRadius']);
  const filters = withValues(nationwide, 'dealType', ['greatprice']);
  return encodeUrl({ ...criteria, filters, firstRecord: 0 }, EMPTY_SLUG_REFERENCE);
}

/**
 * URL of the search that a row of a price list counts: model, condition and area only, since the crawl calls ignore all
 * other criteria. Without a place, the row's own crawlable link.
 */
export function countedHref(
  { filters, sortBy, numRecords, slugs }: SearchCriteria,
  area: ReferenceData['area'],
  { link, own }: PriceRow,
): string {
  const { makeCode, modelCode, listingType, zip, city, state } = filters;
  if (!area && !zip && !city && !state) return link;
  const countedFilters: FilterValues = {
    ...(makeCode && { makeCode }),
    ...(modelCode && { modelCode }),
    ...(listingType && { listingType }),
    ...(area && { zip: [area.zip] }),
    searchRadius: [String(area?.radius ?? 0)],
    ...own,
  };
  return encodeUrl(
    { filters: countedFilters, sortBy, numRecords, firstRecord: 0, unknown: [], ...(slugs && { slugs }) },
    EMPTY_SLUG_REFERENCE,
  );
}

/** Fewer than five entries stay unchanged; otherwise the eleven latest, descending. */
export function truncateYears<Entry extends { readonly value: string }>(
  entries: readonly Entry[],
): readonly Entry[] {
  if (entries.length < YEAR_LIST_TRUNCATED_FROM) return entries;
  return [...entries].sort((a, b) => Number(b.value) - Number(a.value)).slice(0, YEAR_LIST_MAX);
}

/** A trim's name, truncated after 30 characters. */
export const shortTrimName = (name: string): string =>
  name.length > TRIM_NAME_MAX ? `${name.slice(0, TRIM_NAME_MAX)}...` : name;
