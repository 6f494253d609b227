/** @jest-environment jest-fixed-jsdom */
import { decodeQuery } from '@forecourt/search/decode';
import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import { type SearchCriteria } from '@forecourt/search/criteria';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';

const mount = (parts: Partial<SearchCriteria> = {}, options: Parameters<typeof mountSearchSlot>[1] = {}) => {
  const criteria = buildCriteria(parts);
  return mountSearchSlot(toolbar, {
    ...options,
    criteria,
    search: { chips: buildChips(criteria), ...options.search },
  });
};

const flags = (off: Parameters<typeof resolveFlags>[1]) => ({
  session: { flags: resolveFlags(BRANDS.atc, off) },
});

const tabs = () => within(screen.getByRole('navigation', { name: 'Categories' })).getAllByRole('link');

const tab = (name: string) => screen.getByRole('link', { name });

describe('category tabs', () => {
  // rows: B2-TOOL-01, B2-TOOL-02, B2-TOOL-03, B2-TOOL-04, B2-TOOL-05
  it('lists the five categories in order', () => {
    mount();
    expect(tabs().map((link) => link.textContent)).toEqual([
      'All Results',
      'Best Deals',
      'Buy Online',
      'For Sale By Owner',
      'Certified Used',
    ]);
    expect(tab('All Results')).toHaveAttribute('aria-current', 'true');
  });

  // rows: B2-QP-08
  it.each([
    ['best-deals', 'Best Deals'],
    ['buy-online', 'Buy Online'],
    ['by-owner', 'For Sale By Owner'],
    ['certified', 'Certified Used'],
  ])('activates only the tab of the category %s in the URL', (categorySearch, name) => {
    mount(decodeQuery(`categorySearch=${categorySearch}`));
    const activeTabs = tabs().filter((link) => link.getAttribute('aria-current') === 'true');
    expect(activeTabs.map(({ textContent }) => textContent)).toEqual([name]);
  });

  // rows: B4-CAT-01, B4-CAT-02
  it('searches for the picked category and its values', async () => {
    const { searches } = mount({ filters: { makeCode: ['FORD'] }, firstRecord: 30 });
    await userEvent.click(tab('Certified Used'));
    expect(searches()).toEqual([
      buildCriteria({
        categorySearch: 'certified',
        filters: { makeCode: ['FORD'], listingType: ['CERTIFIED'] },
      }),
    ]);
    expect(tab('Certified Used')).toHaveAttribute('aria-current', 'true');
    expect(tab('All Results')).not.toHaveAttribute('aria-current');
  });

  // rows: B4-CAT-03
  it('clears all filters except the place with All Results', async () => {
    const { filters, events } = mount({
      categorySearch: 'by-owner',
      filters: { sellerType: ['p'], makeCode: ['FORD'], zip: ['60601'], searchRadius: ['25'] },
    });
    await userEvent.click(tab('All Results'));
    expect(events).toContainEqual(
      expect.objectContaining({ payload: expect.objectContaining({ cause: 'category:all' }) }),
    );
    expect(filters()).toEqual({ zip: ['60601'], searchRadius: ['25'] });
  });

  it('renders categories as links and leaves modified clicks to the browser', () => {
    const { searches } = mount();
    expect(tab('For Sale By Owner')).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?categorySearch=by-owner&sellerType=p',
    );
    let isBrowsers: boolean | undefined;
    const preventNavigation = (event: Event) => {
      isBrowsers = !event.defaultPrevented;
      event.preventDefault();
    };
    window.addEventListener('click', preventNavigation, { once: true });
    fireEvent.click(tab('Best Deals'), { ctrlKey: true });
    expect(isBrowsers).toBe(true);
    expect(searches()).toHaveLength(0);
  });

  // rows: B6-FLAG-03
  it('renders no category tabs without their flag', () => {
    mount({}, flags({ categorySearch: false }));
    expect(screen.queryByRole('navigation', { name: 'Categories' })).not.toBeInTheDocument();
  });
});
