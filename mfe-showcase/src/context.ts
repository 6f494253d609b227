import { changeFilters, EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';

/** `inventory`: one listing of the dealer with a carousel; `owner`: the dealer's card with two vehicles. */
export type ShowcaseContext = 'inventory' | 'owner';

/**
 * The form of the showcase.
 *
 * `isAlpha`: the listing was sold as a showcase product. `matchesExactly`: it meets all selected criteria.
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

type SearchPart = Pick<RootState['search'], 'alpha' | 'criteria'>;

/**
 * True if the response has an owner and listings to show; with the sponsorship-only flag, only on sponsorship pages
 *.
 */
export function hasShowcase(
  { alpha, criteria }: SearchPart,
  flags: Readonly<Record<string, boolean>>,
): boolean {
  // The upstream may omit the owner: treated like no showcase.
  const owner: unknown = alpha?.ownerBean;
  if (!alpha || !owner || alpha.alphaShowcase.listings.length === 0) return false;
  return !flags['alphaSponsorshipOnly'] || criteria.isSponsorship === true;
}

/** The first page of the search, narrowed to one sponsor's inventory. */
export const sponsorCriteria = (criteria: SearchCriteria, ownerId: string): SearchCriteria => ({
  ...changeFilters(criteria, criteria.filters),
  isSponsorship: true,
  showcaseOwnerId: ownerId,
});

/** True if the page already shows this sponsor's inventory. */
export const isSponsorPage = (criteria: SearchCriteria, ownerId: string): boolean =>
  criteria.isSponsorship === true && criteria.showcaseOwnerId === ownerId;

/** URL of a search with codes in its query; the server redirects it once to the normalized path. */
export const searchHref = (criteria: SearchCriteria): string => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);
