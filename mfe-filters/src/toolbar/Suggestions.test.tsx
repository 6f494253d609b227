/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, beforeEach, jest } from '@jest/globals';
import fc from 'fast-check';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import type { FilterParam, SearchCriteria } from '@forecourt/search/criteria';
import { searchLoaded } from '@forecourt/search/state';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import { offeredSuggestions } from './Suggestions.tsx';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildChips } from '../testing/builders.ts';
import toolbar from '../slots/toolbar.tsx';

const suggestion = fc.record({
  name: fc.string(),
  count: fc.nat(),
  codes: fc.dictionary(
    fc.constantFrom<FilterParam>('dealType', 'featureCode', 'sellerType'),
    fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1 }),
    { minKeys: 1 },
  ),
});
const list = fc.array(suggestion);

describe('offered suggestions', () => {
  it('offers each suggestion once, in order, without selected ones', () => {
    const anyCodes = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'));
    fc.assert(
      fc.property(list, list, anyCodes, (filters, strongAttributes, featureCode) => {
        const criteria = buildCriteria({ filters: { featureCode } });
        const result = offeredSuggestions({ filters, strongAttributes }, criteria);
        const all = [...filters, ...strongAttributes];
        const places = result.map((offer) => all.indexOf(offer));
        expect(places).toEqual([...places].sort((left, right) => left - right));
        const isAllChosen = ({ codes }: (typeof all)[number]) =>
          Object.keys(codes).join() === 'featureCode' &&
          (codes.featureCode ?? []).every((value) => featureCode.includes(value));
        expect(result.some(isAllChosen)).toBe(false);
        // Repeated suggestions add nothing.
        const again = { filters: [...filters, ...all], strongAttributes };
        expect(offeredSuggestions(again, criteria)).toHaveLength(result.length);
      }),
    );
  });
});

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
