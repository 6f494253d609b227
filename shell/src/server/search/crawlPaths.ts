import type { Filter } from '@forecourt/shared-contracts/entities';
import {
  type SlugReference,
  type SearchCriteria,
  type FilterParam,
  singleValue,
  type FilterValues,
  withValues,
  RELEVANCE_SORT,
  PAGE_SIZE,
} from '@forecourt/shared-contracts/criteria';
import type { LabelOf } from '@forecourt/shared-contracts/catalog';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import type { SearchState } from '@forecourt/shared-contracts/store';

/** Links to narrower searches below the results (B4-PANEL-05). */
const MAX_CRAWL_PATHS = 16;

export interface CrawlContext {
  /** The answer's filters: only what they count is linked. */
  readonly filters: readonly Pick<Filter, 'name' | 'options'>[];
  readonly reference: SlugReference;
  readonly labelOf: LabelOf;
}

/** The next step from a search: a make has models, a model has years and trims, everything has makes. */
function nextSteps(criteria: SearchCriteria): readonly (readonly [name: string, params: FilterParam[]])[] {
  const hasMake = singleValue(criteria, 'makeCode') !== undefined;
  const hasModel = singleValue(criteria, 'modelCode') !== undefined;
  if (hasMake && hasModel)
    return [
      ['yearRange', ['startYear', 'endYear']],
      ['trimCode', ['trimCode']],
    ];
  return hasMake ? [['modelCode', ['modelCode']]] : [['makeCode', ['makeCode']]];
}

/**
 * Links from a search to the pages below it: the makes, the models of its one
 * make, or the years and trims of its one model (B4-PANEL-05, AMB-047). The
 * most frequent ones first, without a number: it counts this search, not the
 * wider one behind the link. They keep the condition and nothing else, so that
 * each is the page which its own canonical link names. None with several makes
 * or models, or where a make is left out of a path.
 */
export function crawlPathsOf(
  criteria: SearchCriteria,
  context: CrawlContext,
): readonly SearchState['crawlPaths'][number][] {
  const { makeCode, modelCode, listingType } = criteria.filters;
  if ((makeCode?.length ?? 0) > 1 || (modelCode?.length ?? 0) > 1 || (modelCode && !makeCode)) return [];
  const base: FilterValues = {
    ...(makeCode && { makeCode }),
    ...(modelCode && { modelCode }),
    ...(listingType?.length === 1 && { listingType }),
  };
  const words = (['makeCode', 'modelCode'] as const).flatMap((param) => {
    const code = base[param]?.[0];
    return code === undefined ? [] : [context.labelOf(param, code)];
  });
  const steps = nextSteps(criteria);
  return steps.flatMap(([name, params]) => {
    const options = context.filters.find((filter) => filter.name === name)?.options ?? [];
    return options
      .toSorted((left, right) => (right.count ?? 0) - (left.count ?? 0))
      .flatMap(({ value, label, count = 0 }): SearchState['crawlPaths'][number][] => {
        if (count === 0 || params.some((param) => base[param])) return [];
        const filters = params.reduce((all, param) => withValues(all, param, [value]), base);
        if (!params.every((param) => filters[param])) return [];
        const target: SearchCriteria = {
          filters,
          sortBy: RELEVANCE_SORT,
          firstRecord: 0,
          numRecords: PAGE_SIZE,
          unknown: [],
        };
        const text = name === 'yearRange' ? [label, ...words] : [...words, label];
        return [{ label: text.join(' '), href: encodeUrl(target, context.reference) }];
      })
      .slice(0, Math.floor(MAX_CRAWL_PATHS / steps.length));
  });
}
