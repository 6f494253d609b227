/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toApiQuery } from '@forecourt/search/query';
import { searchStarted } from '@forecourt/search/state';
import filters from '../slots/filters.tsx';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';

const KNOWN = { success: true, city: 'Atlanta', state: 'GA' };
const mount = (options: Parameters<typeof mountSearchSlot>[1] = {}, lookupResponse: unknown = KNOWN) => {
  const zipLookup = jest.fn(async () => lookupResponse);
  return { zipLookup, ...mountSearchSlot(filters, { calls: { zipLookup }, ...options }) };
};
const zip = () => screen.getByRole('textbox', { name: 'ZIP Code' });

describe('location section', () => {
  // rows: A3-FILTER-02, A3-FILTER-03, A3-FILTER-04
  it('labels ZIP Code, Distance and extended delivery', () => {
    mount();
    expect(zip()).toHaveAttribute('name', 'zip');
    expect(screen.getByRole('combobox', { name: 'Distance' })).toHaveAttribute('name', 'searchRadius');
    const delivery = screen.getByRole('checkbox', { name: 'Include Extended Delivery' });
    expect(delivery).toHaveAttribute('name', 'marketExtension');
    expect(delivery).toHaveAttribute('value', 'include');
  });

  // rows: B9-LEN-01
  it('limits the ZIP code to five characters', () => {
    mount();
    expect(zip()).toHaveAttribute('maxlength', '5');
  });

  it('replaces the city with a validated ZIP code', async () => {
    const { filters: currentFilters, searches } = mount({
      criteria: { filters: { city: ['Chicago'], state: ['IL'] } },
    });
    await userEvent.type(zip(), '30303{Enter}');
    await screen.findByDisplayValue('30303');
    expect(currentFilters()).toEqual({ zip: ['30303'] });
    await userEvent.tab();
    expect(searches()).toHaveLength(1);
  });

  // rows: B5-ZIP-01, B5-ZIP-03, B8-ERR-01
  it('rejects fewer than five digits without a lookup', async () => {
    const { zipLookup, searches } = mount();
    await userEvent.type(zip(), '3030');
    await userEvent.tab();
    expect(await screen.findByText('Enter a valid ZIP Code')).toBeInTheDocument();
    expect(zip()).toBeInvalid();
    expect(zipLookup).not.toHaveBeenCalled();
    expect(searches()).toHaveLength(0);
  });

  // rows: B5-ZIP-01
  it('rejects a pasted ZIP+4 code and trims a pasted ZIP code', async () => {
    const { zipLookup, filters: currentFilters } = mount();
    await userEvent.click(zip());
    await userEvent.paste('30303-1234');
    await userEvent.tab();
    expect(await screen.findByText('Enter a valid ZIP Code')).toBeInTheDocument();
    expect(zipLookup).not.toHaveBeenCalled();
    await userEvent.tripleClick(zip());
    await userEvent.paste(' 30303 ');
    await userEvent.tab();
    await waitFor(() => expect(currentFilters()).toEqual({ zip: ['30303'] }));
  });

  it('ignores a space typed before the digits', async () => {
    const { filters: currentFilters } = mount();
    await userEvent.type(zip(), ' 30303{Enter}');
    await waitFor(() => expect(currentFilters()).toEqual({ zip: ['30303'] }));
  });

  // rows: B5-ZIP-02
  it.each([
    ['finds nothing', async () => ({ success: false })],
    ['fails', async () => Promise.reject(new Error('away'))],
  ])('starts no search when the lookup %s, and repeats it on Enter', async (_, firstLookup) => {
    const zipLookup = jest.fn<() => Promise<unknown>>(firstLookup);
    const { filters: currentFilters, searches } = mount({ calls: { zipLookup } });
    await userEvent.type(zip(), '30303{Enter}');
    expect(await screen.findByText('Enter a valid ZIP Code')).toBeInTheDocument();
    expect(searches()).toHaveLength(0);
    zipLookup.mockResolvedValue(KNOWN);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(currentFilters()).toEqual({ zip: ['30303'] }));
    expect(screen.queryByText('Enter a valid ZIP Code')).not.toBeInTheDocument();
  });

  it('makes no lookup when a ZIP code set elsewhere is tabbed past', async () => {
    const { store, zipLookup, searches } = mount({ criteria: { filters: { zip: ['60601'] } } });
    const criteria = buildCriteria({ filters: { zip: ['30303'] } });
    act(() => void store.dispatch(searchStarted({ requestId: 'r2', criteria, url: '/' })));
    await userEvent.click(zip());
    await userEvent.tab();
    expect(zip()).toHaveValue('30303');
    expect(zipLookup).not.toHaveBeenCalled();
    expect(searches()).toHaveLength(0);
  });

  it('discards a lookup when the ZIP code is changed back to the applied one', async () => {
    let resolveLookup = (_: unknown) => {};
    const zipLookup = () => new Promise((resolve) => (resolveLookup = resolve));
    const { searches } = mount({ criteria: { filters: { zip: ['60601'] } }, calls: { zipLookup } });
    await userEvent.clear(zip());
    await userEvent.type(zip(), '30303{Enter}');
    await userEvent.clear(zip());
    await userEvent.type(zip(), '60601{Enter}');
    await act(async () => resolveLookup(KNOWN));
    expect(searches()).toHaveLength(0);
    expect(zip()).toHaveValue('60601');
  });

  it('clears the message on a valid ZIP code', async () => {
    mount();
    await userEvent.type(zip(), '3030{Enter}');
    await screen.findByText('Enter a valid ZIP Code');
    await userEvent.type(zip(), '3');
    expect(screen.queryByText('Enter a valid ZIP Code')).not.toBeInTheDocument();
  });

  it('removes the place when the ZIP code is emptied', async () => {
    const { filters: currentFilters } = mount({
      criteria: { filters: { zip: ['30303'], searchRadius: ['25'] } },
    });
    await userEvent.clear(zip());
    await userEvent.tab();
    expect(currentFilters()).toEqual({ searchRadius: ['25'] });
  });

  // rows: B4-PANEL-13, B4-PANEL-14
  it('sends include when extended delivery is turned on, and off when it is turned off', async () => {
    const { searches } = mount();
    const requested = () =>
      searches().map((search) => toApiQuery(search, { brand: 'atc' }).get('marketExtension'));
    const box = screen.getByRole('checkbox', { name: /^Include Extended Delivery/ });
    expect(box).not.toBeChecked();
    await userEvent.click(box);
    expect(requested()).toEqual(['include']);
    expect(box).toBeChecked();
    await userEvent.click(box);
    expect(requested()).toEqual(['include', 'off']);
    expect(box).not.toBeChecked();
  });

  it('shows no counts and sends no distance without a place', () => {
    mount();
    const distance = screen.getByRole('combobox', { name: 'Distance' });
    expect(distance).toHaveDisplayValue('Any');
    expect(distance).toHaveValue('');
    expect(screen.getByRole('checkbox', { name: 'Include Extended Delivery' })).toBeInTheDocument();
  });

  // rows: A5-RULE-04, A5-RULE-05
  it('shows counts around a ZIP code and searches within the selected distance', async () => {
    const { filters: currentFilters } = mount({ criteria: { filters: { zip: ['30303'] } } });
    const distance = screen.getByRole('combobox', { name: 'Distance' });
    expect(distance).toHaveDisplayValue(/^50 Miles/);
    expect(screen.getByRole('checkbox', { name: 'Include Extended Delivery 5,210' })).toBeInTheDocument();
    await userEvent.selectOptions(distance, '100');
    expect(currentFilters()).toEqual({ zip: ['30303'], searchRadius: ['100'] });
    expect(screen.getByRole('option', { name: /^25 Miles/ })).toBeDisabled();
    await userEvent.selectOptions(distance, 'Any Distance (0)');
    expect(currentFilters()).toEqual({ zip: ['30303'], searchRadius: ['0'] });
  });
});
