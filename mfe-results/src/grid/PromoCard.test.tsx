/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildState } from '@forecourt/search/testing';
import { listings, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

const tiles = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')].map(
    ({ dataset }) => dataset['tile'],
  );

const page = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };

describe('the promo card', () => {
  const suggestion = { name: 'Under 30,000 Miles', count: 12, codes: { mileage: ['30000'] } };
  const suggestions = { ...buildState().search.suggestions, filters: [suggestion] };

  // rows: B2-GRID-04, B2-PROMO-01
  it('places the promo card at 14 and applies its filter on click', async () => {
    const { criteria } = buildState().search;
    const search = { ...criteria, filters: { zip: ['60601'] }, firstRecord: 30 };
    const { container, payloads } = mountResults({ ...page, suggestions, criteria: search });
    expect(tiles(container).indexOf('promo')).toBe(14);
    const promo = within(screen.getByRole('region', { name: 'Suggestion' }));
    expect(promo.getByText('12 of these vehicles fit.')).toBeVisible();
    const link = promo.getByRole('link', { name: 'Show only Under 30,000 Miles' });
    expect(link).toHaveAttribute('href', expect.stringContaining('mileage=30000'));
    await userEvent.click(link);
    expect(payloads('search.changeRequested')).toMatchObject([
      { criteria: { filters: { zip: ['60601'], mileage: ['30000'] }, firstRecord: 0 }, cause: 'promo' },
    ]);
  });

  // rows: B9-GRID-08
  it('shows no promo card with 14 listings or for a filter that is already set', () => {
    const few = mountResults({
      listings: listings(1, 14),
      pageSizes: [14],
      totalResultCount: 14,
      suggestions,
    });
    expect(tiles(few.container)).not.toContain('promo');
    few.unmount();
    const criteria = { ...buildState().search.criteria, filters: { mileage: ['30000'] } };
    expect(tiles(mountResults({ ...page, suggestions, criteria }).container)).not.toContain('promo');
  });
});
