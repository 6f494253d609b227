import { selectCategory, singleValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { BUY_ONLINE_MAKE } from '../constants.ts';

/** The search in its Buy Online category, where the make has the button and is not in it yet (B2-PROMO-04, AMB-086). */
export function buyOnlineSearch(criteria: SearchCriteria): SearchCriteria | undefined {
  if (singleValue(criteria, 'makeCode') !== BUY_ONLINE_MAKE) return undefined;
  return criteria.categorySearch === 'buy-online' ? undefined : selectCategory(criteria, 'buy-online');
}
