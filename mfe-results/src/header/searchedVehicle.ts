import { singleValue } from '@forecourt/shared-contracts/criteria';
import type { SearchState } from '@forecourt/shared-contracts/store';

type Searched = Pick<SearchState, 'criteria' | 'breadcrumbs' | 'listings'>;

/** The words for the one make and model of a search; undefined without both or when a name is not known. */
export function searchedMakeModel({ criteria, breadcrumbs, listings }: Searched): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (!makeCode || !modelCode) return undefined;
  // The trail follows the last answer; a listing names what it does not.
  const crumb = (key: string) => breadcrumbs.find((entry) => entry.key === key)?.label;
  const listing = listings.find((one) => one.makeCode === makeCode && one.modelCode === modelCode);
  const make = crumb('make') ?? listing?.make.name;
  const model = crumb('model') ?? listing?.model.name;
  return make && model ? `${make} ${model}` : undefined;
}

/** 'Learn more about 2021 Ford F-150': what the jump link names, when there is such a section (AMB-153). */
export function learnMoreText(searched: Searched, hasModelReference: boolean): string | undefined {
  const vehicle = searchedMakeModel(searched);
  if (!hasModelReference || !vehicle) return undefined;
  const from = singleValue(searched.criteria, 'startYear');
  const year = from === singleValue(searched.criteria, 'endYear') ? from : undefined;
  return `Learn more about ${[year, vehicle].filter(Boolean).join(' ')}`;
}
