/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildListing } from '@forecourt/search/testing';
import { listings, mountResults, noSpotlights } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

const tiles = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')].map(
    ({ dataset }) => dataset['tile'],
  );

const page = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };

describe('the grid', () => {
  // rows: B2-GRID-02, B1-OFFER-04
  it('places spotlights and boosts between the matches', () => {
    const spotlights = [{ ...noSpotlights, premium: [buildListing({ id: 'p1', title: 'Paid' })] }];
    const { container } = mountResults({ ...page, spotlights, boost: [buildListing({ id: 'b1' })] });
    expect(tiles(container).slice(0, 8)).toEqual([
      'premium',
      'listing',
      'listing',
      'listing',
      'listing',
      'listing',
      'boost',
      'listing',
    ]);
  });

  // rows: B1-SCOPE-01
  it('shows the same grid to signed-in visitors', () => {
    const anonymous = mountResults(page);
    const shown = tiles(anonymous.container);
    anonymous.unmount();
    expect(tiles(mountResults(page, { signedIn: true }).container)).toEqual(shown);
    expect(shown).toHaveLength(30);
  });

  it('has an outlet for the email capture after a few results', () => {
    const { container } = mountResults({ listings: listings(1, 3), totalResultCount: 3 });
    expect(tiles(container)).toEqual(['listing', 'listing', 'listing', 'capture']);
    expect(container.querySelector('[data-outlet=email-capture]')).not.toBeNull();
  });

  // rows: B2-BOTTOM-05
  it('shows the email-subscribe block below few results and not below many', async () => {
    const outlets = async (totalResultCount: number) => {
      const { container, waitForLateParts, unmount } = mountResults({ ...page, totalResultCount });
      await waitForLateParts();
      const count = container.querySelectorAll('[data-outlet=email-capture]').length;
      unmount();
      return count;
    };
    expect(await outlets(25)).toBe(1);
    expect(await outlets(26)).toBe(0);
  });
});
