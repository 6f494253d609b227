import { singleValue, type SearchCriteria, selectCategory } from '@forecourt/shared-contracts/criteria';
import { BUY_ONLINE_MAKE } from '../constants.ts';
import type { SearchState } from '@forecourt/shared-contracts/store';
const PATH = '/cars-for-sale/build-your-price';

/** Link to build-your-price for a search of one new model; undefined for other searches (AMB-056). */
export function buildYourPriceUrl(criteria: SearchCriteria): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (singleValue(criteria, 'listingType') !== 'NEW' || !makeCode || !modelCode) return undefined;
  return `${PATH}?${new URLSearchParams({ makeCode, modelCode })}`;
}

/**
 * The search in its Buy Online category; undefined when the make has none or it is selected already
 * (B2-PROMO-04, AMB-086).
 */
export function buyOnlineSearch(criteria: SearchCriteria): SearchCriteria | undefined {
  if (singleValue(criteria, 'makeCode') !== BUY_ONLINE_MAKE) return undefined;
  return criteria.categorySearch === 'buy-online' ? undefined : selectCategory(criteria, 'buy-online');
}

type SearchedModel = Pick<SearchState, 'criteria' | 'breadcrumbs' | 'listings'>;

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

/** 'Learn more about 2021 Ford F-150' for the link to the model section (AMB-153). */
export function learnMoreText(searched: SearchedModel, hasModelReference: boolean): string | undefined {
  const vehicle = searchedMakeModel(searched);
  if (!hasModelReference || !vehicle) return undefined;
  const from = singleValue(searched.criteria, 'startYear');
  const year = from === singleValue(searched.criteria, 'endYear') ? from : undefined;
  return `Learn more about ${[year, vehicle].filter(Boolean).join(' ')}`;
}
