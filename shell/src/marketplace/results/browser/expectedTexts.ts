import { BRANDS } from '@forecourt/search/brands';
import { createLabels } from '@forecourt/search/catalog';
import { type FilterParam, type SearchCriteria, valuesOf } from '@forecourt/search/criteria';
import type { RootState, SearchState } from '@forecourt/search/state';
import { headingOf } from '../universal/pageTexts.ts';

const PLACE: readonly FilterParam[] = ['zip', 'city', 'state'];
/** Parameters whose labels come only from a response's filters. */
const LABELED_BY_RESPONSE: readonly FilterParam[] = ['makeCode', 'modelCode'];

/**
 * The expected texts of a search before its response: the heading changes with
 * the click instead of a second later. Undefined if the page lacks the labels,
 * e.g. the city of a new ZIP or a make that its filters do not list.
 */
export function expectedTexts(
  { search: before, session }: Pick<RootState, 'search' | 'session'>,
  criteria: SearchCriteria,
): SearchState['texts'] | undefined {
  const isSamePlace = PLACE.every(
    (param) => String(valuesOf(criteria, param)) === String(valuesOf(before.criteria, param)),
  );
  const hasLabels = LABELED_BY_RESPONSE.every((param) => {
    const options = before.filters.find(({ name }) => name === param)?.options ?? [];
    return valuesOf(criteria, param).every((value) => options.some((option) => option.value === value));
  });
  if (!hasLabels || !(isSamePlace || PLACE.every((param) => valuesOf(criteria, param).length === 0)))
    return undefined;
  // 'Chicago, IL'
  const [city, state] = before.breadcrumbs.find(({ key }) => key === 'location')?.label.split(', ') ?? [];
  const heading = headingOf(criteria, {
    brand: BRANDS[session.brand],
    labelOf: createLabels({ filters: before.filters, chosen: criteria.filters }),
    ...(city && state && { place: { city, state } }),
  });
  return { ...before.texts, heading };
}
