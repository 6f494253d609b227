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

/** Maximum number of links below the results (B4-PANEL-05). */
const MAX_CRAWL_PATHS = 16;

export interface CrawlContext {
  /** Filters of the response: only options with a count are linked. */
  readonly filters: readonly Pick<Filter, 'name' | 'options'>[];
  readonly reference: SlugReference;
  readonly labelOf: LabelOf;
}

/** Parameters that narrow a search next: its makes, the models of its make, or the years and trims of its model. */
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
 * Links from a search to narrower ones: makes, models of its make, or years and
 * trims of its model (B4-PANEL-05, AMB-047). Most frequent first, without counts,
 * which apply to this search and not to the wider one behind a link. Links keep
 * only the condition, so that each is its own canonical URL. None for several
 * makes or models, or for a model without a make.
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
