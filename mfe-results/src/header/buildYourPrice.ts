import { singleValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';

const PATH = '/cars-for-sale/build-your-price';

/** Link to the page on which a new vehicle of one make and model is put together; undefined for other searches (AMB-056). */
export function buildYourPriceUrl(criteria: SearchCriteria): string | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (singleValue(criteria, 'listingType') !== 'NEW' || !makeCode || !modelCode) return undefined;
  return `${PATH}?${new URLSearchParams({ makeCode, modelCode })}`;
}
