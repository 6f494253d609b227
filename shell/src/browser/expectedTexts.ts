import { BRANDS } from '@forecourt/shared-contracts/brands';
import { createLabels } from '@forecourt/shared-contracts/catalog';
import { valuesOf, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState, SearchState } from '@forecourt/shared-contracts/store';
import { headingOf } from '../both/pageTexts.ts';

const PLACE: readonly FilterParam[] = ['zip', 'city', 'state'];
/** Words of a heading that no table of codes has, only an answer's filters. */
const NAMED: readonly FilterParam[] = ['makeCode', 'modelCode'];

/**
 * The texts of a search that has just begun: its heading is the one that the
 * answer will bring, so that it changes with the click and not, when nobody
 * expects it, a second later. Undefined where the page lacks the words: a ZIP
 * whose city it has not heard of, a make that its filters do not list.
 */
export function expectedTexts(
  { search: before, session }: Pick<RootState, 'search' | 'session'>,
  criteria: SearchCriteria,
): SearchState['texts'] | undefined {
  const isSamePlace = PLACE.every(
    (param) => String(valuesOf(criteria, param)) === String(valuesOf(before.criteria, param)),
  );
  const isNamed = NAMED.every((param) => {
    const options = before.filters.find(({ name }) => name === param)?.options ?? [];
    return valuesOf(criteria, param).every((value) => options.some((option) => option.value === value));
  });
  if (!isNamed || !(isSamePlace || PLACE.every((param) => valuesOf(criteria, param).length === 0)))
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
