import type { RootState } from '@forecourt/shared-contracts/store';

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
