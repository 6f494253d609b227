/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import { searchLoaded, searchStarted } from '@forecourt/search/state';
import { buildCriteria, formFields, mountSearchSlot, searchState } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';

const SUGGESTIONS = {
  suggestions: [
    { label: 'Ford', kind: 'filters', filters: { makeCode: ['FORD'] }, count: 1204 },
    { label: 'Ford buying guide', kind: 'content', url: 'https://example.com/ford' },
  ],
};
const realMatchMedia = window.matchMedia;
const realOpen = window.open;
const openWindow = jest.fn<typeof window.open>(() => null);
const screenIs = (size: 'small' | 'large') => {
  window.matchMedia = (query) => ({
    ...realMatchMedia(query),
    matches: size === 'small' && query.includes('max-width'),
  });
};
beforeEach(() => {
  screenIs('large');
  openWindow.mockClear();
  window.open = openWindow;
});
afterEach(() => {
  window.matchMedia = realMatchMedia;
  window.open = realOpen;
});

type Options = NonNullable<Parameters<typeof mountSearchSlot>[1]>;
const mount = (suggestedKeywords: () => unknown = () => SUGGESTIONS, options: Options = {}) => {
  const requestKeywords = jest.fn(suggestedKeywords);
  return {
    requestKeywords,
    ...mountSearchSlot(toolbar, { ...options, calls: { suggestedKeywords: requestKeywords } }),
  };
};
const field = () => screen.getByRole('combobox', { name: 'Keyword search' });
const option = (name: RegExp) => screen.findByRole('option', { name });

describe('keyword search', () => {
  // rows: B2-TOOL-08
  it('renders a GET form that works without JavaScript and keeps place and order', () => {
    mount(undefined, {
      criteria: { filters: { makeCode: ['HONDA'], zip: ['60601'], searchRadius: ['25'] }, sortBy: 'yearASC' },
    });
    const form = screen.getByRole('search', { name: 'Keyword search' });
    expect(form).toHaveAttribute('action', '/cars-for-sale/all-cars');
    expect(within(form).getByRole('combobox')).toHaveAttribute('name', 'keyword');
    expect(formFields(form as HTMLFormElement)).toEqual([
      ['searchRadius', '25'],
      ['zip', '60601'],
      ['sortBy', 'yearASC'],
      ['keyword', ''],
    ]);
  });

  // rows: B6-FLAG-05
  it('renders no keyword search without its flag', () => {
    mount(undefined, { session: { flags: resolveFlags(BRANDS.atc, { keywordSearch: false }) } });
    expect(screen.queryByRole('combobox', { name: 'Keyword search' })).not.toBeInTheDocument();
  });

  // rows: B4-KEY-01, B7-KEY-01
  it('opens a suggestion panel on the first character on a large screen', async () => {
    const { requestKeywords } = mount();
    await userEvent.type(field(), 'f');
    expect(await option(/^Ford 1,204/)).toBeInTheDocument();
    expect(requestKeywords.mock.calls[0]).toEqual([{ term: 'f' }, undefined]);
    expect(field()).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('2 suggestions')).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  // rows: B4-KEY-01, B2-MODAL-05
  it('opens a dialog with the typed text on a small screen', async () => {
    screenIs('small');
    mount();
    act(() => field().focus());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await userEvent.keyboard('f');
    const dialog = await screen.findByRole('dialog', { name: 'Keyword Search' });
    expect(within(dialog).getByRole('combobox')).toHaveValue('f');
  });

  it('requests suggestions at most every 200 ms, ending with the latest words', async () => {
    const { requestKeywords } = mount();
    await userEvent.type(field(), 'ford truck');
    await waitFor(() =>
      expect(requestKeywords.mock.calls.at(-1)).toEqual([{ term: 'ford truck' }, undefined]),
    );
    expect(requestKeywords.mock.calls.length).toBeLessThan(10);
  });

  // rows: B4-KEY-03
  it('replaces all filters with those of the picked suggestion and returns to the first page', async () => {
    const { requestKeywords, searches } = mount(undefined, {
      criteria: { filters: { makeCode: ['HONDA'], maxPrice: ['9000'], zip: ['60601'] }, firstRecord: 30 },
    });
    await userEvent.type(field(), 'ford');
    await option(/^Ford 1,204/);
    await userEvent.keyboard('{ArrowDown}');
    expect(field()).toHaveAttribute('aria-activedescendant', (await option(/^Ford 1,204/)).id);
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(searches()).toEqual([buildCriteria({ filters: { makeCode: ['FORD'], zip: ['60601'] } })]),
    );
    // Counts are those of the place.
    expect(requestKeywords.mock.calls.at(-1)).toMatchObject([{ zip: '60601' }, undefined]);
    expect(field()).toHaveValue('');
  });

  it('says what a suggestion leaves out, and sorts as its words ask unless the shopper chose an order', async () => {
    const meaning = {
      label: 'Red trucks, lowest price first',
      kind: 'filters',
      filters: { extColorSimple: ['RED'] },
      sortBy: 'derivedpriceASC',
      leftOut: ['no rust'],
      dropped: ['Leather Seats'],
    };
    const pick = async (options?: Options) => {
      const { searches, unmount } = mount(() => ({ suggestions: [meaning] }), options);
      await userEvent.type(field(), 'cheap');
      await userEvent.click(
        await option(/^Red trucks, lowest price first without “no rust”, “Leather Seats”$/),
      );
      await waitFor(() => expect(searches()).toHaveLength(1));
      unmount();
      return searches()[0]?.sortBy;
    };
    expect(await pick()).toBe('derivedpriceASC');
    expect(await pick({ criteria: { sortBy: 'yearDESC' } })).toBe('yearDESC');
  });

  it('searches for the typed words on Enter', async () => {
    const { searches } = mount();
    await userEvent.type(field(), '  tow hitch {Enter}');
    await waitFor(() => expect(searches()[0]?.filters).toEqual({ keyword: ['tow hitch'] }));
  });

  // rows: B4-KEY-02
  it('opens a suggested page in a new window without changing the search', async () => {
    const { searches } = mount();
    await userEvent.type(field(), 'ford');
    await userEvent.click(await option(/^Ford buying guide/));
    expect(openWindow.mock.calls).toEqual([['https://example.com/ford', '_blank', 'noopener']]);
    expect(searches()).toHaveLength(0);
  });

  // rows: B4-KEY-04
  it('disables the keyword field while results load', () => {
    const { store } = mount();
    const { criteria, url } = store.getState().search;
    act(() => void store.dispatch(searchStarted({ requestId: 'r2', criteria, url })));
    expect(field()).toBeDisabled();
    const { status: _, requestId: __, ...page } = searchState({}).search;
    act(() => void store.dispatch(searchLoaded({ requestId: 'r2', page })));
    expect(field()).toBeEnabled();
    expect(field()).not.toHaveAttribute('readonly');
  });

  it('keeps a focused keyword field usable while results load, but starts no search', async () => {
    const { store, searches } = mount();
    await userEvent.type(field(), 'ford');
    const { criteria, url } = store.getState().search;
    act(() => void store.dispatch(searchStarted({ requestId: 'r2', criteria, url })));
    expect(field()).toHaveFocus();
    expect(field()).toHaveAttribute('readonly');
    await userEvent.keyboard('{Enter}');
    expect(searches()).toHaveLength(0);
  });

  // rows: B7-KEY-02
  it('shows neither suggestions nor an error when the suggestions call fails', async () => {
    let answer = (): unknown => Promise.reject(new Error('away'));
    const { requestKeywords, searches } = mount(() => answer());
    await userEvent.type(field(), 'ford');
    await waitFor(() => expect(requestKeywords).toHaveBeenCalled());
    // An empty list would be a box without content.
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    const fail = answer;
    answer = () => SUGGESTIONS;
    await userEvent.type(field(), ' f');
    await option(/^Ford 1,204/);
    answer = fail;
    await userEvent.type(field(), '1');
    await waitFor(() => expect(screen.queryByRole('listbox')).not.toBeInTheDocument());
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(searches()).toHaveLength(1));
  });
});
