/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import { searchStarted } from '@forecourt/search/state';
import filters from '../slots/filters.tsx';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';

const mount = (selectedFilters: FilterValues = {}) =>
  mountSearchSlot(filters, { criteria: { filters: selectedFilters } });
const min = () => screen.getByRole('textbox', { name: 'Min Price' });
const max = () => screen.getByRole('textbox', { name: 'Max Price' });

describe('price range', () => {
  // rows: A3-FILTER-10
  it('applies minimum and maximum price', async () => {
    const { filters: currentFilters } = mount();
    await userEvent.type(min(), '10000');
    await userEvent.type(max(), '20000');
    await userEvent.tab();
    expect(currentFilters()).toEqual({ minPrice: ['10000'], maxPrice: ['20000'] });
  });

  // rows: B5-PINPUT-05
  it('commits a price once on Enter', async () => {
    const { searches } = mount();
    await userEvent.type(min(), '10000{Enter}');
    expect(searches().map((search) => search.filters)).toEqual([{ minPrice: ['10000'] }]);
    await userEvent.tab();
    expect(searches()).toHaveLength(1);
    expect(min()).toHaveValue('10000');
  });

  // rows: B5-PRICE-01, B5-PRICE-02, B5-PRICE-03, B8-ERR-02
  it.each([
    ['10000', '10000', 'Min and Max price cannot be the same.'],
    ['20000', '10000', 'Max price must be greater than Min price.'],
    ['', '0', 'Max price must be greater than 0.'],
  ])('rejects %s to %s: %s', async (from, to, message) => {
    const { searches } = mount(from ? { minPrice: [from] } : {});
    await userEvent.type(max(), `${to}{Enter}`);
    expect(screen.getByText(message)).toBeInTheDocument();
    expect(searches()).toHaveLength(0);
  });

  // rows: B5-PRICE-04
  it('clears a rejected price and keeps its message until a valid commit', async () => {
    const { searches } = mount({ minPrice: ['10000'] });
    await userEvent.type(max(), '9000{Enter}');
    expect(max()).toHaveValue('');
    expect(max()).toBeInvalid();
    expect(min()).toHaveValue('10000');
    await userEvent.type(min(), '{Enter}');
    await userEvent.tab();
    expect(searches()).toHaveLength(0);
    expect(screen.getByText('Max price must be greater than Min price.')).toBeInTheDocument();
    await userEvent.type(max(), '30000{Enter}');
    expect(screen.queryByText('Max price must be greater than Min price.')).not.toBeInTheDocument();
    expect(searches()).toHaveLength(1);
  });

  // rows: B5-PRICE-04
  it('clears a rejected minimum and keeps the maximum', async () => {
    const { searches } = mount({ maxPrice: ['20000'] });
    await userEvent.type(min(), '30000{Enter}');
    expect(screen.getByText('Max price must be greater than Min price.')).toBeInTheDocument();
    expect(min()).toHaveValue('');
    expect(min()).toBeInvalid();
    expect(max()).toHaveValue('20000');
    expect(max()).toBeValid();
    expect(searches()).toHaveLength(0);
  });

  // rows: B5-PINPUT-01, B5-PINPUT-03, B5-PINPUT-04
  it.each(['12a', '20000.00', '100.50', '0100', '$0100', '1e5', '-500'])(
    'searches for no price made of %s, and says why',
    async (typed) => {
      const { searches } = mount();
      await userEvent.type(max(), typed);
      expect(max()).toBeInvalid();
      expect(screen.getByText('Whole dollars only, such as 20,000')).toBeVisible();
      await userEvent.keyboard('{Enter}');
      await userEvent.tab();
      expect(searches()).toHaveLength(0);
      expect(max()).toHaveValue(typed);
    },
  );

  // rows: B5-PINPUT-01
  it('accepts digits, commas and dollar signs, also after a refused text', async () => {
    const { filters: currentFilters } = mount();
    await userEvent.type(min(), '12,000.');
    await userEvent.type(min(), '{Backspace}{Enter}');
    expect(screen.queryByText('Whole dollars only, such as 20,000')).toBeNull();
    expect(currentFilters()).toEqual({ minPrice: ['12000'] });
    await userEvent.clear(min());
    await userEvent.type(min(), '$13,000{Enter}');
    expect(currentFilters()).toEqual({ minPrice: ['13000'] });
  });

  // rows: B5-PINPUT-02, B9-LEN-02
  it('limits the price to ten characters', async () => {
    const { filters: currentFilters } = mount();
    expect(min()).toHaveAttribute('maxlength', '10');
    await userEvent.type(max(), '$12,345,678{Enter}');
    expect(max()).toHaveValue('1234567');
    expect(currentFilters()).toEqual({ maxPrice: ['1234567'] });
  });

  // rows: B9-LEN-02
  it('keeps the longest typed number as the maximum price', async () => {
    const { filters: currentFilters } = mount();
    await userEvent.type(max(), '9999999999{Enter}');
    expect(currentFilters()).toEqual({ maxPrice: ['999999999'] });
    expect(max()).toHaveValue('999999999');
  });

  it('removes a bound when its field is emptied or the minimum is 0', async () => {
    const { filters: currentFilters } = mount({ minPrice: ['5000'], maxPrice: ['9000'] });
    await userEvent.clear(max());
    await userEvent.tab();
    expect(currentFilters()).toEqual({ minPrice: ['5000'] });
    await userEvent.clear(min());
    await userEvent.type(min(), '0{Enter}');
    expect(currentFilters()).toEqual({});
    expect(min()).toHaveValue('');
  });

  it('starts no search when the typed price is already applied', async () => {
    const { searches } = mountSearchSlot(filters, {
      criteria: { filters: { minPrice: ['10000'] }, firstRecord: 60 },
    });
    await userEvent.clear(min());
    await userEvent.type(min(), '$10,000{Enter}');
    await userEvent.tab();
    expect(min()).toHaveValue('10000');
    expect(searches()).toHaveLength(0);
  });

  it('removes a bound when only its dollar sign is left', async () => {
    const { filters: currentFilters } = mount({ minPrice: ['20000'] });
    await userEvent.clear(min());
    await userEvent.type(min(), '$');
    await userEvent.tab();
    expect(min()).toHaveValue('');
    expect(currentFilters()).toEqual({});
  });

  it('removes the applied bound on Enter in a field that was cleared after a rejection', async () => {
    const { filters: currentFilters } = mount({ minPrice: ['10000'], maxPrice: ['20000'] });
    await userEvent.clear(max());
    await userEvent.type(max(), '5000{Enter}');
    expect(max()).toHaveValue('');
    expect(currentFilters()).toEqual({ minPrice: ['10000'], maxPrice: ['20000'] });
    await userEvent.type(max(), '{Enter}');
    expect(currentFilters()).toEqual({ minPrice: ['10000'] });
    expect(max()).toBeValid();
  });

  it('clears the message and shows the new bounds when other bounds are applied', async () => {
    const { store } = mount({ minPrice: ['10000'], maxPrice: ['20000'] });
    const apply = (applyFilters: FilterValues) => {
      const criteria = buildCriteria({ filters: applyFilters });
      act(() => void store.dispatch(searchStarted({ requestId: 'r2', criteria, url: '/' })));
    };
    await userEvent.clear(max());
    await userEvent.type(max(), '5000{Enter}');
    expect(max()).toBeInvalid();
    apply({ maxPrice: ['20000'] });
    expect(max()).toBeValid();
    expect(max()).toHaveValue('20000');
    expect(screen.queryByText('Max price must be greater than Min price.')).not.toBeInTheDocument();
  });

  it('applies slider values on release, with open ends', async () => {
    const { filters: currentFilters, searches } = mount();
    const slider = screen.getByRole('slider', { name: 'Maximum price' });
    fireEvent.change(slider, { target: { value: '30000' } });
    expect(searches()).toHaveLength(0);
    expect(slider).toHaveAttribute('aria-valuetext', '$30,000');
    fireEvent.pointerUp(slider);
    await waitFor(() => expect(currentFilters()).toEqual({ maxPrice: ['30000'] }));
    fireEvent.change(slider, { target: { value: '100000' } });
    fireEvent.keyUp(slider, { key: 'End' });
    await waitFor(() => expect(currentFilters()).toEqual({}));
  });
});
