import type { Filter, NearMiss, SuggestedFilter, SuggestedModel } from '@forecourt/shared-contracts/entities';
import { BOTTOM_BLOCK_MAX_RESULTS } from '@forecourt/shared-contracts/rules';
import type { FilterName } from '@forecourt/shared-contracts/catalog';
import { type FilterParam, type SearchCriteria, singleValue } from '@forecourt/shared-contracts/criteria';
import type { DroppableFilter, FacetCounts } from '../index/listingIndex.ts';

/** Filters worth offering to everyone, and what a feature-minded shopper asks next. */
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
/** A filter tells something when it keeps this share of the results, at best a third of them. */
const TELLING = { least: 0.03, most: 0.8, best: 1 / 3 } as const;

/** Options of unused filters that would split the results, the most telling first, one or two a filter. */
function tellingOptions(
  filters: readonly Filter[],
  names: readonly FilterName[],
  total: number,
  perFilter: number,
): SuggestedFilter[] {
  const distance = (count: number) => Math.abs(count / total - TELLING.best);
  return names
    .flatMap((name) => {
      const filter = filters.find((candidate) => candidate.name === name);
      if (!filter || filter.value) return [];
      return filter.options
        .flatMap(({ label, value, count = 0 }) =>
          count >= total * TELLING.least && count <= total * TELLING.most
            ? [{ name: label, count, codes: { [name]: [value] } }]
            : [],
        )
        .sort((a, b) => distance(a.count) - distance(b.count))
        .slice(0, perFilter);
    })
    .sort((a, b) => distance(a.count) - distance(b.count))
    .slice(0, MAX_SUGGESTIONS);
}

/** Filters offered as chips (B3-SUGGEST-01); the counts are those of the filters themselves. */
export const suggestFilters = (filters: readonly Filter[], total: number): SuggestedFilter[] =>
  total === 0 ? [] : tellingOptions(filters, SUGGESTED, total, 1);

/** Attributes that tell these results apart (AMB-073). */
export const strongAttributes = (filters: readonly Filter[], total: number): SuggestedFilter[] =>
  total === 0 ? [] : tellingOptions(filters, STRONG, total, 2);

/** The section that shows what the index calls otherwise. */
const SECTION_OF: Partial<Record<DroppableFilter, string>> = {
  make: 'makeCode',
  model: 'modelCode',
  trim: 'trimCode',
  year: 'yearRange',
  price: 'priceRange',
  mpg: 'mpgRange',
  electricRange: 'electricMileRange',
};

/** Which one filter, dropped, brings more, the most first; only where there are few results. */
export function nearMisses(counts: FacetCounts, total: number): NearMiss[] {
  if (total > BOTTOM_BLOCK_MAX_RESULTS) return [];
  return [...counts.totalWithout]
    .filter(([, count]) => count > total)
    .map(([name, count]) => ({ name: SECTION_OF[name] ?? name, count }))
    .sort((a, b) => b.count - a.count);
}

/** Parameters which say where to look rather than what for. */
export const WHERE: readonly FilterParam[] = ['zip', 'searchRadius', 'state', 'city', 'marketExtension'];

/** Does the search ask for anything but a place? */
export const asksForVehicles = ({ filters }: Pick<SearchCriteria, 'filters'>): boolean =>
  Object.keys(filters).some((param) => !WHERE.includes(param as FilterParam));

const MAX_SUGGESTED = 3;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/-(?=\d)/g, '')
    .split(/[\s/-]+/)
    .filter(Boolean);

/** One name begins with all words of the other ('F-150', 'F-150 Lightning'), or both with one telling word. */
function areAlike(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = left.findIndex((word, at) => word !== right[at]);
  const same = shared < 0 ? left.length : shared;
  return same === Math.min(left.length, right.length) || (same > 0 && /^[a-z]{4,}$/.test(left[0]!));
}

/**
 * Models that a shopper of one model may have meant (A3-RESP-10, AMB-042):
 * of a like name and the same make, where the chosen one has few results and
 * the other has more under the same filters. Asking everybody would be a
 * nuisance: the page opens a dialog.
 */
export function suggestModels(
  criteria: SearchCriteria,
  counts: FacetCounts | undefined,
  total: number,
): SuggestedModel[] {
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
