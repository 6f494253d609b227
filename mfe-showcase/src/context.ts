import type { RootState } from '@forecourt/shared-contracts/store';
import {
  changeFilters,
  EMPTY_SLUG_REFERENCE,
  type SearchCriteria,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';

/** `inventory`: one listing of the dealer with a carousel; `owner`: the dealer's card with two vehicles. */
export type ShowcaseContext = 'inventory' | 'owner';

/**
 * Which of its two forms the showcase takes (B4-ALPHA-08..10).
 *
 * `isAlpha`: the listing was sold as a showcase product. `matchesExactly`: it
 * misses none of the selected criteria (AMB-041).
 */
export function showcaseContext(input: {
  readonly exactMatchFlag: boolean;
  readonly isAlpha: boolean;
  readonly matchesExactly: boolean;
}): ShowcaseContext {
  const { exactMatchFlag, isAlpha, matchesExactly } = input;
  if (!exactMatchFlag) return isAlpha ? 'owner' : 'inventory';
  return !isAlpha && matchesExactly ? 'inventory' : 'owner';
}

type Answer = Pick<RootState['search'], 'alpha' | 'criteria'>;

/**
 * Has the answer a showcase for this page? Without an owner there is nobody to
 * show, without listings nothing; with the sponsorship-only flag it shows on
 * sponsorship pages alone (B4-ALPHA-03, B4-ALPHA-04, AMB-129).
 */
export function hasShowcase({ alpha, criteria }: Answer, flags: Readonly<Record<string, boolean>>): boolean {
  // An upstream that sends no owner is answered like one that sends no showcase.
  const owner: unknown = alpha?.ownerBean;
  if (!alpha || !owner || alpha.alphaShowcase.listings.length === 0) return false;
  return !flags['alphaSponsorshipOnly'] || criteria.isSponsorship === true;
}

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
