import { singleValue } from '@forecourt/search/criteria';
import type { SearchState } from '@forecourt/search/state';

export type SearchedModel = Pick<SearchState, 'criteria' | 'breadcrumbs' | 'listings'>;

/** Name of the searched make and model; undefined without both. */
export function searchedMakeModel({ criteria, breadcrumbs, listings }: SearchedModel): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (!makeCode || !modelCode) return undefined;
  // Breadcrumbs follow the last response; a listing fills in what they lack.
  const crumb = (key: string) => breadcrumbs.find((entry) => entry.key === key)?.label;
  const listing = listings.find((one) => one.makeCode === makeCode && one.modelCode === modelCode);
  const make = crumb('make') ?? listing?.make.name;
  const model = crumb('model') ?? listing?.model.name;
  return make && model ? `${make} ${model}` : undefined;
}
