/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { FLAGS } from '@forecourt/search/brands';
import { buildListing } from '@forecourt/search/testing';
import { listings, mountResults, noSpotlights } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

const flags = { ...FLAGS, ads: false };

const tiles = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')].map(
    ({ dataset }) => dataset['tile'],
  );

const page = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };

describe('the carousel', () => {
  // rows: A9-EAGER-02
  it('shows the premium spotlights in one named row and loads the first three pictures eagerly', () => {
    const premium = ['p1', 'p2', 'p3', 'p4'].map((id) => buildListing({ id, title: `Paid ${id}` }));
    const { container } = mountResults(
      { ...page, spotlights: [{ ...noSpotlights, premium }] },
      { flags: { ...flags, wallet: false, spotlightCarousel: true } },
    );
    expect(tiles(container).indexOf('carousel')).toBe(3);
    const row = within(screen.getByRole('region', { name: 'Sponsored vehicles' }));
    expect(row.getAllByRole('article')).toHaveLength(4);
    expect(row.getAllByText('Sponsored')).toHaveLength(4);
    const pictures = row.getAllByRole('img').filter((image) => image.hasAttribute('loading'));
    const loading = pictures.map((picture) => picture.getAttribute('loading'));
    expect(loading).toEqual(['eager', 'eager', 'eager', 'lazy']);
  });
});
