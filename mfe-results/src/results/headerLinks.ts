import { singleValue, type SearchCriteria, selectCategory } from '@forecourt/shared-contracts/criteria';
import { BUY_ONLINE_MAKE } from '../constants.ts';
import type { SearchState } from '@forecourt/shared-contracts/store';
const PATH = '/cars-for-sale/build-your-price';

/** Link to the page on which a new vehicle of one make and model is put together; undefined for other searches (AMB-056). */
export function buildYourPriceUrl(criteria: SearchCriteria): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (singleValue(criteria, 'listingType') !== 'NEW' || !makeCode || !modelCode) return undefined;
  return `${PATH}?${new URLSearchParams({ makeCode, modelCode })}`;
}

/** The search in its Buy Online category, where the make has the button and is not in it yet (B2-PROMO-04, AMB-086). */
export function buyOnlineSearch(criteria: SearchCriteria): SearchCriteria | undefined {
  if (singleValue(criteria, 'makeCode') !== BUY_ONLINE_MAKE) return undefined;
  return criteria.categorySearch === 'buy-online' ? undefined : selectCategory(criteria, 'buy-online');
}

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
