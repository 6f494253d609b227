/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import filters from '../slots/filters.tsx';
import { buildFilters, buildFilter } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';

const realMatchMedia = window.matchMedia;
beforeEach(() => {
  window.matchMedia = jest.fn((media: string) => ({ ...realMatchMedia(media), matches: false }));
});
afterEach(() => {
  window.matchMedia = realMatchMedia;
});

const open = (
  selectedFilters: FilterValues,
  zipLookup: () => unknown = () => ({ success: true }),
  preview: () => unknown = () => ({ totalResultCount: 9, filters: buildFilters() }),
) => {
  const previews = jest.fn(preview);
  const mounted = mountSearchSlot(filters, {
    criteria: { filters: selectedFilters },
    calls: { filterPreview: previews, zipLookup },
  });
  act(() => mounted.bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
  return { ...mounted, previews };
};
const see = () => screen.getByRole('button', { name: /^See Results/ });
const field = (name: string) => screen.getByRole('textbox', { name });

describe('See Results with uncommitted text', () => {
  // rows: B2-PANEL-03
  it('waits for the lookup of a typed ZIP code and searches once', async () => {
    let resolveLookup = (_: unknown) => {};
    const zipLookup = jest.fn(() => new Promise((resolve) => (resolveLookup = resolve)));
    const { searches } = open({}, zipLookup);
    await userEvent.type(field('ZIP Code'), '60601');
    await userEvent.click(see());
    await userEvent.click(see());
    expect(see()).toHaveAttribute('aria-busy', 'true');
    expect(searches()).toHaveLength(0);
    await act(async () => resolveLookup({ success: true }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await waitFor(() => expect(searches()).toEqual([buildCriteria({ filters: { zip: ['60601'] } })]));
    expect(zipLookup).toHaveBeenCalledTimes(1);
  });

  it('starts no search when the dialog is closed during the lookup', async () => {
    let resolveLookup = (_: unknown) => {};
    const { searches } = open({}, () => new Promise((resolve) => (resolveLookup = resolve)));
    await userEvent.type(field('ZIP Code'), '60601');
    await userEvent.click(see());
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await act(async () => resolveLookup({ success: true }));
    expect(searches()).toHaveLength(0);
  });

  // rows: B5-ZIP-03
  it('keeps the dialog open and focuses an invalid ZIP code', async () => {
    const { searches } = open({});
    await userEvent.type(field('ZIP Code'), '123');
    await userEvent.click(see());
    expect(screen.getByText('Enter a valid ZIP Code')).toBeInTheDocument();
    expect(field('ZIP Code')).toHaveFocus();
    await userEvent.clear(field('ZIP Code'));
    await userEvent.click(see());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(searches()).toHaveLength(0);
  });

  // rows: B5-PRICE-04
  it('keeps the dialog open once and focuses a rejected price', async () => {
    const { searches } = open({ minPrice: ['10000'] });
    await userEvent.type(field('Max Price'), '5000');
    await userEvent.click(see());
    expect(screen.getByText('Max price must be greater than Min price.')).toBeInTheDocument();
    expect(field('Max Price')).toHaveFocus();
    expect(field('Max Price')).toHaveValue('');
    await userEvent.click(see());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(searches()).toHaveLength(0);
  });

  it('commits the text of a field that keeps the focus, as after a tap on a phone', async () => {
    const { searches } = open({});
    await userEvent.type(field('Max Price'), '20000');
    void act(() => see().dispatchEvent(new MouseEvent('click', { bubbles: true })));
    await waitFor(() => expect(searches()).toEqual([buildCriteria({ filters: { maxPrice: ['20000'] } })]));
  });
});

describe('See Results with a changed draft', () => {
  const openWithExpected = (preview?: () => unknown) => {
    const mounted = open({}, undefined, preview);
    const expected: unknown[] = [];
    mounted.bus.on('search.changeExpected').subscribe(({ criteria }) => expected.push(criteria));
    return { ...mounted, expected };
  };
  const used = buildCriteria({ filters: { listingType: ['USED'] } });

  it('announces the search when its count is shown and starts it when it is clicked', async () => {
    let showCount = (_: unknown) => {};
    const { searches, expected } = openWithExpected(() => new Promise((resolve) => (showCount = resolve)));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Used/ }));
    expect(expected).toHaveLength(0);
    await act(async () => showCount({ totalResultCount: 9, filters: buildFilters() }));
    expect(expected).toEqual([used]);
    expect(searches()).toHaveLength(0);
    fireEvent.click(see());
    await waitFor(() => expect(searches()).toEqual([used]));
  });

  it('announces the search when it is pressed before its count is shown', async () => {
    const { expected } = openWithExpected(() => new Promise(() => {}));
    fireEvent.pointerDown(see());
    expect(expected).toHaveLength(0);
    await userEvent.click(screen.getByRole('checkbox', { name: /^Used/ }));
    fireEvent.pointerDown(see());
    expect(expected).toEqual([used]);
  });

  it('announces no search when its count cannot be loaded', async () => {
    const { expected } = openWithExpected(() => Promise.reject(new Error('503')));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Used/ }));
    await waitFor(() => expect(see()).not.toHaveTextContent(/Match/));
    expect(expected).toHaveLength(0);
  });
});

describe('unchanged draft', () => {
  const toggleTwice = async (name: RegExp) => {
    const box = () => screen.getByRole('checkbox', { name });
    await userEvent.click(box());
    await userEvent.click(box());
  };

  it('starts no search and offers nothing to apply when the draft is unchanged', async () => {
    const { searches, bus } = open({ listingType: ['NEW', 'USED'] });
    await toggleTwice(/^New/);
    await userEvent.click(see());
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    await toggleTwice(/^Used/);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText("Your filters weren't applied.")).not.toBeInTheDocument();
    expect(searches()).toHaveLength(0);
  });

  it('ignores Clear Filters while there is nothing to clear', async () => {
    const { previews } = open({ searchRadius: ['25'] });
    const clear = screen.getByRole('button', { name: 'Clear Filters' });
    expect(clear).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(clear);
    expect(previews).not.toHaveBeenCalled();
  });
});

describe('filters dialog on a small screen', () => {
  const shrink = () => {
    window.matchMedia = jest.fn((media: string) => ({
      ...realMatchMedia(media),
      matches: false,
    }));
  };

  // rows: B2-PANEL-02, B2-PANEL-03
  it('opens the filters in a dialog titled Filters and closes it with See Results', async () => {
    shrink();
    const { bus, searches } = mountSearchSlot(filters, {
      search: { totalResultCount: 41_500 },
      calls: {
        filterPreview: ({ listingType }) => ({
          totalResultCount: listingType === 'CERTIFIED,USED' ? 32_100 : 28_000,
          filters: buildFilters([
            buildFilter('listingType', [
              ['USED', 'Used', 28_000],
              ['CERTIFIED', 'Certified', 4],
            ]),
          ]),
        }),
      },
    });
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    const dialog = screen.getByRole('dialog', { name: 'Filters' });
    expect(screen.getAllByRole('form', { name: 'Filters' })).toHaveLength(1);
    expect(within(dialog).getByRole('button', { name: 'See Results 41,500 Matches' })).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Used/ }));
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Certified/ }));
    const see = await within(dialog).findByRole('button', { name: 'See Results 32,100 Matches' });
    // The draft has its own options; the page hasn't searched yet.
    expect(within(dialog).getByRole('checkbox', { name: 'Certified 4' })).toBeChecked();
    expect(searches()).toHaveLength(0);
    await userEvent.click(see);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await waitFor(() =>
      expect(searches()).toEqual([buildCriteria({ filters: { listingType: ['CERTIFIED', 'USED'] } })]),
    );
    expect(screen.getByRole('checkbox', { name: /^Used/ })).toBeChecked();
  });

  it('scrolls to the results heading when the shopper was far down the old results', async () => {
    shrink();
    const heading = document.body.appendChild(document.createElement('h2'));
    heading.id = 'results-heading';
    heading.getBoundingClientRect = () => ({ bottom: -4000 }) as DOMRect;
    const { bus, searches } = mountSearchSlot(filters, {
      calls: { filterPreview: () => ({ totalResultCount: 9, filters: buildFilters() }) },
    });
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('checkbox', { name: /^Used/ }));
    await userEvent.click(screen.getByRole('button', { name: /^See Results/ }));
    await waitFor(() => expect(searches()).toHaveLength(1));
    expect(heading).toHaveFocus();
    heading.remove();
  });

  it('offers to apply the draft when the dialog is closed', async () => {
    shrink();
    const { bus, searches } = mountSearchSlot(filters, {
      calls: { filterPreview: () => ({ totalResultCount: 9, filters: buildFilters() }) },
    });
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('checkbox', { name: /^Used/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(searches()).toHaveLength(0);
    expect(screen.getByRole('checkbox', { name: /^Used/ })).not.toBeChecked();
    await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(searches()).toEqual([buildCriteria({ filters: { listingType: ['USED'] } })]));
  });

  it('clears the draft first and the page on See Results', async () => {
    shrink();
    const { bus, searches } = mountSearchSlot(filters, {
      criteria: { filters: { makeCode: ['FORD'], searchRadius: ['25'] } },
      calls: { filterPreview: () => ({ totalResultCount: 41_000, filters: buildFilters() }) },
    });
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    const dialog = within(screen.getByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Clear Filters' }));
    expect(dialog.getByRole('button', { name: 'Clear Filters' })).toHaveFocus();
    expect(searches()).toHaveLength(0);
    await userEvent.click(await dialog.findByRole('button', { name: 'See Results 41,000 Matches' }));
    await waitFor(() => expect(searches()).toEqual([buildCriteria({ filters: { searchRadius: ['25'] } })]));
  });

  it('shows no count when the preview fails, and still applies', async () => {
    shrink();
    const { bus, searches } = mountSearchSlot(filters, {
      calls: { filterPreview: () => Promise.reject(new Error('away')) },
    });
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('checkbox', { name: /^New/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'See Results' }));
    await waitFor(() => expect(searches()).toHaveLength(1));
  });

  // rows: B2-PANEL-01, B2-PANEL-02
  it.each([
    [991, 1],
    [992, 0],
  ])('at a width of %s px opens %s dialogs, because the panel docks from 992 px', (width, count) => {
    window.matchMedia = jest.fn((media: string) => ({
      ...realMatchMedia(media),
      matches: width >= Number(/min-width: (\d+)px/.exec(media)?.[1]),
    }));
    const { bus } = mountSearchSlot(filters);
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    expect(screen.queryAllByRole('dialog')).toHaveLength(count);
  });

  it('opens no dialog when docked or when another dialog is requested', () => {
    window.matchMedia = realMatchMedia;
    const { bus } = mountSearchSlot(filters);
    act(() => bus.emit('dialog.requested', { name: 'filters' }, 'toolbar'));
    shrink();
    act(() => bus.emit('dialog.requested', { name: 'wallet' }, 'toolbar'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});
