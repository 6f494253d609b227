import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { lostValues } from '../undo/lostValues.ts';

/**
 * Do both find the same? Whatever else an edit resets (the page, the id of a
 * stored search, a category without its values) is no change by itself.
 */
export const isSameSearch = (left: SearchCriteria, right: SearchCriteria): boolean =>
  left.experience === right.experience &&
  (left.isSponsorship ?? false) === (right.isSponsorship ?? false) &&
  left.showcaseOwnerId === right.showcaseOwnerId &&
  lostValues(left, right).length === 0 &&
  lostValues(right, left).length === 0;
