/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import { mountInTestShell, mountScenario } from '@forecourt/search/testing';
import type { ReferenceData } from '../data/loadReference.ts';
import { F150, sampleData as data, specsOf, stateOf, trim } from '../testing/sampleData.ts';
import modelReference from '../slots/model-reference.tsx';

const show = (changes: Partial<ReferenceData> = {}, filters: FilterValues = F150) =>
  mountInTestShell(modelReference, {
    state: stateOf(filters),
    data: { ...data, ...changes },
    calls: { specs: ({ vehicleId = '' }) => specsOf(vehicleId) },
  });

const open = (name: string) => userEvent.click(screen.getByRole('tab', { name }));

afterEach(() => {
  window.history.replaceState(null, '', '/');
  sessionStorage.clear();
});

describe('trim comparison', () => {
  const table = () => screen.findByRole('table', { name: '2026 and 2027 Ford F-150 trims' });
  const text = (element: HTMLElement) => element.textContent;

  // rows: B2-TRIMS-01, B2-MODAL-06, A2-UI-04
  it('shows the same comparison in the tab and in the dialog', async () => {
    const { bus, events } = show();
    await open('Compare Trims');
    await within(await table()).findAllByText('Standard');
    const inline = text(await table());
    await open('Pricing');
    act(() => bus.emit('dialog.requested', { name: 'wallet' }, 'test'));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => bus.emit('dialog.requested', { name: 'trims' }, 'test'));
    const dialog = screen.getByRole('dialog', { name: 'Compare Ford F-150 Trims' });
    await within(dialog).findAllByText('Standard');
    expect(text(within(dialog).getByRole('table'))).toBe(inline);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(events.at(-1)).toMatchObject({ type: 'dialog.closed', payload: { name: 'trims' } });
  });

  // rows: B7-OTHER-10
  it('requests the specs of each trim once, when it is first compared', async () => {
    const requestedIds: string[] = [];
    const { bus, html, unmount } = await mountScenario({
      name: 'counted',
      module: modelReference,
      state: stateOf(),
      data,
      calls: { specs: ({ vehicleId = '' }) => (requestedIds.push(vehicleId), specsOf(vehicleId)) },
    });
    // Without JavaScript, 'Loading' would never be replaced.
    const [{ year, trimName, nationalMSRP } = {}] = data.trims;
    expect(html).toContain(`${year} ${trimName} starting MSRP $${nationalMSRP?.toLocaleString('en-US')}`);
    expect(html).not.toContain('City / highway');
    expect(html).not.toContain('Loading');
    expect(requestedIds).toEqual([]);
    const each = data.trims.map(({ vehicleId }) => vehicleId);
    await open('Compare Trims');
    await within(await table()).findAllByText('Standard');
    expect(requestedIds).toEqual(each);
    await open('Pricing');
    await open('Compare Trims');
    act(() => bus.emit('dialog.requested', { name: 'trims' }, 'test'));
    await within(screen.getByRole('dialog')).findAllByText('Standard');
    expect(requestedIds).toEqual(each);
    unmount();
  });

  it('requests failed specs again on the next comparison', async () => {
    let isDown = true;
    mountInTestShell(modelReference, {
      state: stateOf(),
      data: { ...data, trims: [trim('1', 'XL')] },
      calls: { specs: () => (isDown ? Promise.reject(new Error('down')) : specsOf('1')) },
    });
    const camera = () => screen.getByRole('row', { name: /^Rearview camera/i });
    await open('Compare Trims');
    await within(camera()).findByText('Information Unavailable');
    isDown = false;
    await open('Pricing');
    await open('Compare Trims');
    await within(camera()).findByText('Standard');
  });

  // rows: B3-SPEC-03, B8-ERR-16
  it("shows 'Information Unavailable' for missing specs", async () => {
    show();
    await open('Compare Trims');
    const row = within(await table()).getByRole('row', { name: /^Sunroof/ });
    expect((await within(row).findAllByText('Information Unavailable')).length).toBe(data.trims.length);
  });

  // rows: B4-MR-08, B4-MR-09
  it('defaults to the fuel of the search and resets when another tab is selected', async () => {
    show({}, { ...F150, fuelTypeGroup: ['ELE'] });
    await open('Compare Trims');
    const fuel = () => screen.getByRole('combobox', { name: 'Fuel type' });
    expect(fuel()).toHaveDisplayValue('Electric');
    expect(within(await table()).getAllByRole('columnheader')).toHaveLength(2);
    await userEvent.selectOptions(fuel(), 'All fuel types');
    expect(within(await table()).getAllByRole('columnheader')).toHaveLength(1 + data.trims.length);
    await open('Pricing');
    await open('Compare Trims');
    expect(fuel()).toHaveDisplayValue('Electric');
  });

  it('names year and fuel of each trim, or the year alone', async () => {
    show({ trims: [trim('1', 'XL'), trim('2', 'XLT', { fuelTypeGroup: '' })] });
    await open('Compare Trims');
    const headings = within(await screen.findByRole('table', { name: '2026 Ford F-150 trims' }))
      .getAllByRole('columnheader')
      .map(text);
    expect(headings).toEqual(['Trim', '2026 · GasolineXL', '2026XLT']);
  });

  it('hides equal rows with Show differences only', async () => {
    show();
    await open('Compare Trims');
    expect(within(await table()).getByRole('row', { name: /^Body style/ })).toBeVisible();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Show differences only' }));
    expect(within(await table()).queryByRole('row', { name: /^Body style/ })).toBeNull();
    expect(within(await table()).getByRole('row', { name: /^Starting MSRP/ })).toBeVisible();
  });

  it('truncates long trim names and keeps the full name as title', async () => {
    show({ trims: [trim('9', 'x'.repeat(31))] });
    await open('Compare Trims');
    expect(screen.getByText(`${'x'.repeat(30)}...`)).toHaveAttribute('title', 'x'.repeat(31));
  });
});
