/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { decodeQuery, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { searchLoaded } from '@forecourt/shared-contracts/store';
import { BRANDS, resolveFlags } from '@forecourt/shared-contracts/brands';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot, watchScrolling } from '../testing/mountSearchSlot.ts';
import toolbar from './toolbar.tsx';

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
const chips = () => within(screen.getByRole('list', { name: 'Selected filters' })).getAllByRole('link');
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

describe('chips', () => {
  const heading = document.createElement('h2');
  heading.id = 'results-heading';
  afterEach(() => heading.remove());

  // rows: B2-TOOL-06, B2-TOOL-10
  it('shows the selected filters in order, Clear Filters last', () => {
    mount({ filters: { makeCode: ['FORD', 'HONDA'], zip: ['60601'] } });
    expect(chips().map((link) => link.textContent)).toEqual([
      'Remove 60601',
      'Remove Ford',
      'Remove Honda',
      'Clear Filters',
    ]);
    expect(chips()[1]).toHaveAttribute('href', '/cars-for-sale/all-cars?makeCode=HONDA&zip=60601');
  });

  it('removes a chip immediately and focuses the next one', async () => {
    const { filters } = mount({ filters: { makeCode: ['FORD', 'HONDA'] } });
    await userEvent.click(chips()[0]!);
    expect(filters()).toEqual({ makeCode: ['HONDA'] });
    expect(chips().map((link) => link.textContent)).toEqual(['Remove Honda', 'Clear Filters']);
    expect(chips()[0]).toHaveFocus();
  });

  // rows: A4-SAVE-15
  it('keeps the chips while results load', async () => {
    const { store } = mount({ filters: { makeCode: ['FORD', 'HONDA'] } });
    await userEvent.click(chips()[0]!);
    expect(store.getState().search.status).toBe('loading');
    expect(chips()[0]).toHaveTextContent('Honda');
  });

  it('focuses the results heading when the last chip is removed', async () => {
    document.body.append(heading);
    mount({ filters: { makeCode: ['FORD'] } });
    await userEvent.click(chips()[0]!);
    expect(heading).toHaveFocus();
    expect(screen.queryByText('Clear Filters')).not.toBeInTheDocument();
  });

  it('focuses the results heading when removing a make also removes its models', async () => {
    document.body.append(heading);
    mount({ filters: { makeCode: ['FORD'], modelCode: ['F150'] } });
    await userEvent.click(screen.getByRole('link', { name: 'Remove Ford' }));
    expect(heading).toHaveFocus();
  });

  it('focuses the previous chip when the last one of several is removed', async () => {
    mount({ filters: { makeCode: ['FORD'], maxPrice: ['9000'], doorCode: ['DOORS1'] } });
    await userEvent.click(screen.getByRole('link', { name: 'Remove Doors 1' }));
    expect(screen.getByRole('link', { name: 'Remove Ford' })).toHaveFocus();
  });

  // rows: B4-CAT-04
  it('leaves the category whose value is removed', async () => {
    const { searches } = mount({
      categorySearch: 'by-owner',
      filters: { sellerType: ['p'], makeCode: ['FORD'] },
    });
    await userEvent.click(screen.getByRole('link', { name: 'Remove Private Seller' }));
    expect(searches()[0]).toEqual(buildCriteria({ filters: { makeCode: ['FORD'] } }));
    expect(tab('All Results')).toHaveAttribute('aria-current', 'true');
  });

  // rows: B4-CLEAR-01, B4-CLEAR-02, B4-CLEAR-04
  it('clears all chips with one search that keeps the radius and returns to All Results', async () => {
    const { searches } = mount({
      categorySearch: 'certified',
      firstRecord: 60,
      filters: {
        listingType: ['CERTIFIED'],
        makeCode: ['FORD'],
        maxPrice: ['9000'],
        zip: ['60601'],
        searchRadius: ['50'],
      },
    });
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(searches()).toEqual([buildCriteria({ filters: { searchRadius: ['50'] } })]);
    expect(tab('All Results')).toHaveAttribute('aria-current', 'true');
  });

  // rows: B2-TOOL-10
  it('shows no Clear Filters for a distance alone', () => {
    const alone = mount({ filters: { searchRadius: ['25'] } });
    expect(chips().map((link) => link.textContent)).toEqual(['Remove Within 25 miles']);
    expect(
      within(screen.getByRole('list', { name: 'Selected filters' })).getAllByRole('listitem'),
    ).toHaveLength(1);
    alone.unmount();
    mount({ filters: { searchRadius: ['25'], makeCode: ['FORD'] } });
    expect(screen.getByRole('link', { name: 'Clear Filters' })).toBeInTheDocument();
  });

  // rows: B4-CLEAR-03
  it('keeps the commercial experience unless the flag clears it', async () => {
    const parts = { experience: 'commercial', filters: { makeCode: ['FORD'] } } as const;
    const defaultToolbar = mount(parts);
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(defaultToolbar.searches()[0]?.experience).toBe('commercial');
    defaultToolbar.unmount();
    const experienceAlone = mount({ experience: 'commercial' });
    expect(chips()).toHaveLength(1);
    expect(screen.queryByRole('link', { name: 'Clear Filters' })).not.toBeInTheDocument();
    experienceAlone.unmount();
    const clearingToolbar = mount(parts, flags({ clearExperience: true }));
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(clearingToolbar.searches()[0]).not.toHaveProperty('experience');
  });

  // rows: B4-ALPHA-11
  it('shows a chip for the sponsor whose inventory is viewed, and removes it', async () => {
    const sponsored = { isSponsorship: true, showcaseOwnerId: 'd7', psid: 'p', siomid: 's' };
    const { searches, unmount } = mount(sponsored);
    await userEvent.click(screen.getByRole('link', { name: 'Remove Viewing Ace Ford inventory' }));
    expect(searches()[0]).toEqual(buildCriteria());
    unmount();
    mount({ filters: { makeCode: ['FORD'] } });
    expect(screen.queryByText(/^Viewing/)).not.toBeInTheDocument();
  });

  it('shows no chip for a sponsorship without an owner, which shows all dealers', () => {
    mount({ isSponsorship: true });
    expect(screen.queryByText(/Viewing/)).not.toBeInTheDocument();
  });
});

describe('filter button', () => {
  // rows: B2-TOOL-13
  it('counts the chips without the location and requests the dialog', async () => {
    const { events } = mount({
      isSponsorship: true,
      showcaseOwnerId: 'd7',
      filters: { zip: ['60601'], makeCode: ['FORD'], maxPrice: ['9000'] },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Filter (3)' }));
    expect(events.at(-1)).toMatchObject({ type: 'dialog.requested', payload: { name: 'filters' } });
  });

  // rows: B2-TOOL-13
  it('shows no number without filters', () => {
    mount({ filters: { zip: ['60601'] } });
    expect(screen.getByRole('button', { name: 'Filter' })).toBeInTheDocument();
  });

  it('shows a floating filter button after scrolling past the toolbar', async () => {
    const scrollTo = watchScrolling();
    const { events } = mount({ filters: { zip: ['60601'], makeCode: ['FORD'] } });
    const all = () => screen.getAllByRole('button', { name: 'Filter (1)' });
    const [button] = all();
    if (!button) throw new Error('no button');
    scrollTo(button, 300);
    expect(all()).toHaveLength(1);
    scrollTo(button, -10);
    expect(all()).toHaveLength(2);
    await userEvent.click(all()[1] ?? button);
    expect(events.at(-1)).toMatchObject({ type: 'dialog.requested', payload: { name: 'filters' } });
    scrollTo(button, 40);
    expect(all()).toHaveLength(1);
  });
});

describe('suggestions', () => {
  const suggestions = {
    filters: [{ name: 'Great Price', count: 1200, codes: { dealType: ['greatprice'] } }],
    strongAttributes: [{ name: 'Heated Seats', count: 90, codes: { featureCode: ['HEATED'] } }],
    nearMisses: [],
    models: [],
  };

  // rows: B2-TOOL-07
  it('offers suggested filters and adds the picked one', async () => {
    const { filters } = mount({ filters: { makeCode: ['FORD'] } }, { search: { suggestions } });
    const list = screen.getByRole('list', { name: 'Suggested' });
    expect(
      within(list)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Great Price (1,200)', 'Heated Seats (90)']);
    const other = within(list).getByRole('link', { name: /^Heated Seats/ });
    await userEvent.click(within(list).getByRole('link', { name: /^Great Price/ }));
    expect(filters()).toEqual({ makeCode: ['FORD'], dealType: ['greatprice'] });
    expect(screen.queryByRole('link', { name: /^Great Price/ })).not.toBeInTheDocument();
    // The pressed link goes away: it must not become the next suggestion below the pointer.
    expect(within(list).getByRole('link', { name: /^Heated Seats/ })).toBe(other);
  });

  const offer = (name: string, codes: Record<string, string[]>) => ({ name, count: 900, codes });
  const bodies = [
    offer('New', { listingType: ['NEW'] }),
    offer('Truck', { vehicleStyleCode: ['TRUCKS'] }),
    offer('Electric', { fuelTypeGroup: ['ELE'] }),
  ];
  const suggestionLabels = () =>
    within(screen.getByRole('list', { name: 'Suggested' }))
      .getAllByRole('link')
      .map((link) => link.textContent?.split(' (')[0]);
  const personalization = jest.fn((_: object) => ({
    segments: ['fuel:ELE', 'price:0-10000', 'style:TRUCKS'],
    suggestedFilters: [],
  }));
  beforeEach(() => {
    personalization.mockClear();
  });

  // rows: A7-OTHER-04
  it('sorts suggestions by the visitor’s segments from the next search on', async () => {
    const { store } = mount(
      { filters: { fuelTypeGroup: ['GSL', 'HYB'], zip: ['60601'] } },
      {
        search: { suggestions: { ...suggestions, filters: bodies, strongAttributes: [] } },
        calls: { personalization },
      },
    );
    await act(() => Promise.resolve());
    expect(personalization.mock.calls.map(([params]) => params)).toEqual([
      { 'pc.origin': 'results', 'pc.fueltype': 'GSL,HYB', zip: '60601' },
    ]);
    expect(suggestionLabels()).toEqual(['New', 'Truck', 'Electric']);
    const { search } = store.getState();
    const page = { ...search, suggestions: { ...search.suggestions } };
    act(() => void store.dispatch(searchLoaded({ requestId: search.requestId, page })));
    expect(suggestionLabels()).toEqual(['Electric', 'Truck', 'New']);
    expect(personalization).toHaveBeenCalledTimes(1);
  });

  it('keeps the order of suggestions for bots and without the flag', async () => {
    for (const session of [{ isBot: true }, flags({ personalization: false }).session]) {
      const { unmount } = mount({}, { search: { suggestions }, session, calls: { personalization } });
      await act(() => Promise.resolve());
      expect(personalization).not.toHaveBeenCalled();
      unmount();
    }
  });

  // rows: B6-FLAG-04
  it('renders no suggestions without their flag', () => {
    mount({}, { search: { suggestions }, ...flags({ suggestedFilters: false }) });
    expect(screen.queryByRole('list', { name: 'Suggested' })).not.toBeInTheDocument();
  });

  it('names the filter whose removal brings more results', async () => {
    const { filters } = mount(
      { filters: { makeCode: ['FORD'], modelCode: ['F150'], maxPrice: ['900'] } },
      {
        search: {
          suggestions: { ...suggestions, nearMisses: [{ name: 'priceRange', count: 1210 }] },
          totalResultCount: 3,
        },
      },
    );
    await userEvent.click(screen.getByRole('link', { name: 'Any price: 1,210 results' }));
    expect(filters()).toEqual({ makeCode: ['FORD'], modelCode: ['F150'] });
  });
});
