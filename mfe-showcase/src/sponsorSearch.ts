import {
  changeFilters,
  EMPTY_SLUG_REFERENCE,
  type SearchCriteria,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';

/** The same search, narrowed to one sponsor's inventory, from its first page (AMB-038). */
export const sponsorCriteria = (criteria: SearchCriteria, ownerId: string): SearchCriteria => ({
  ...changeFilters(criteria, criteria.filters),
  isSponsorship: true,
  showcaseOwnerId: ownerId,
});

/** Shows the page this sponsor's inventory already? */
export const isSponsorPage = (criteria: SearchCriteria, ownerId: string): boolean =>
  criteria.isSponsorship === true && criteria.showcaseOwnerId === ownerId;

/** A valid URL of the search, with codes in its query; the server knows the slugs of its normal form. */
export const searchHref = (criteria: SearchCriteria): string => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);
