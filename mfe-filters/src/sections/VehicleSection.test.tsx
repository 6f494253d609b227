/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import { searchStarted } from '@forecourt/search/state';
import filters from '../slots/filters.tsx';
import { buildFilter, buildFilters, VEHICLE_FILTERS } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';

const mount = (selectedFilters: FilterValues = {}, brand: 'atc' | 'oem' = 'atc') =>
  mountSearchSlot(filters, {
    criteria: { filters: selectedFilters },
    search: { filters: buildFilters(selectedFilters.makeCode ? VEHICLE_FILTERS : []) },
    session: { brand },
  });
const makes = () => screen.getAllByRole('combobox', { name: 'Make' });
const add = () => screen.queryByRole('button', { name: 'Add Another Make' });

describe('make groups', () => {
  // rows: A5-RULE-11, A3-FILTER-15, A3-FILTER-16, A3-FILTER-18
  it('offers the models of a selected make and applies them', async () => {
    const { filters: currentFilters, unmount } = mount();
    expect(screen.getByRole('combobox', { name: 'Model' })).toBeDisabled();
    // The empty group is already the one to fill.
    expect(add()).not.toBeInTheDocument();
    await userEvent.selectOptions(makes()[0]!, 'FORD');
    expect(currentFilters()).toEqual({ makeCode: ['FORD'] });
    expect(makes()[0]).toHaveFocus();
    unmount();

    const second = mount({ makeCode: ['FORD'] });
    const ford = screen.getByRole('group', { name: 'Ford' });
    expect(within(ford).queryByRole('checkbox', { name: /Civic/ })).not.toBeInTheDocument();
    await userEvent.click(within(ford).getByRole('checkbox', { name: /^F-150/ }));
    expect(second.filters()).toEqual({ makeCode: ['FORD'], modelCode: ['F150'] });
    await userEvent.click(within(ford).getByRole('checkbox', { name: /^XLT/ }));
    expect(second.filters().trimCode).toEqual(['F150|XLT']);
  });

  // rows: B4-PANEL-09
  it('adds one make group with Add Another Make', async () => {
    const { filters: currentFilters } = mount({ makeCode: ['FORD'] });
    expect(makes()).toHaveLength(1);
    await userEvent.click(add()!);
    expect(makes()).toHaveLength(2);
    expect(makes()[1]).toHaveFocus();
    await userEvent.selectOptions(makes()[1]!, 'HONDA');
    expect(currentFilters()).toEqual({ makeCode: ['FORD', 'HONDA'] });
    expect(makes()[1]).toHaveFocus();
    expect(
      within(screen.getByRole('group', { name: 'Honda' })).getByRole('checkbox', { name: /^Civic/ }),
    ).toBeEnabled();
  });

  // rows: B4-PANEL-10, B9-PAGE-06
  it('offers Add Another Make while there are fewer than five makes', async () => {
    const four = ['CHEV', 'DODGE', 'FORD', 'HONDA'];
    const { store, unmount } = mount({ makeCode: four });
    await userEvent.click(add()!);
    expect(makes()).toHaveLength(5);
    // A fifth make from elsewhere, e.g. an undone change, takes the place of the empty group.
    const criteria = buildCriteria({ filters: { makeCode: [...four, 'JEEP'] } });
    act(() => void store.dispatch(searchStarted({ requestId: 'r2', criteria, url: '/' })));
    expect(makes()).toHaveLength(5);
    unmount();
    const { unmount: unmountFive } = mount({ makeCode: [...four, 'JEEP'] });
    expect(add()).not.toBeInTheDocument();
    unmountFive();
    mount({ makeCode: [...four, 'JEEP', 'TOYOTA'] });
    expect(makes()).toHaveLength(5);
  });

  // rows: B4-PANEL-11
  it('offers no second make in single-MMT mode', () => {
    mount({ makeCode: ['FORD'] }, 'oem');
    expect(makes()).toHaveLength(1);
    expect(add()).not.toBeInTheDocument();
  });

  // rows: B4-PANEL-11, A3-FILTER-16
  it('replaces the selected model in single-MMT mode', async () => {
    const { filters: currentFilters } = mount(
      { makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XLT'] },
      'oem',
    );
    await userEvent.click(screen.getByRole('checkbox', { name: /^XL(?!T)/ }));
    expect(currentFilters()).toEqual({ makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XL'] });
    await userEvent.click(screen.getByRole('checkbox', { name: /^Bronco/ }));
    expect(currentFilters()).toEqual({ makeCode: ['FORD'], modelCode: ['BRONCO'] });
    await userEvent.click(screen.getByRole('checkbox', { name: /^Bronco/ }));
    expect(currentFilters()).toEqual({ makeCode: ['FORD'] });
  });

  // rows: A3-FILTER-16, A5-RULE-11
  it('shows a model of two makes once per make, with that make’s count', () => {
    const models = buildFilter('modelCode', [
      ['CONTINENTAL', 'Continental', 2, 'Ford'],
      ['CONTINENTAL', 'Continental', 5, 'Honda'],
    ]);
    mountSearchSlot(filters, {
      criteria: { filters: { makeCode: ['FORD', 'HONDA'] } },
      search: { filters: buildFilters([models]) },
    });
    for (const [make, count] of [
      ['Ford', 2],
      ['Honda', 5],
    ] as const) {
      const group = screen.getByRole('group', { name: make });
      expect(within(group).getAllByRole('checkbox')).toHaveLength(1);
      expect(within(group).getByRole('checkbox')).toHaveAccessibleName(`Continental ${count}`);
    }
  });

  // rows: B4-PANEL-12
  it('removes the models of a removed make', async () => {
    const { searches } = mount({ makeCode: ['FORD', 'HONDA'], modelCode: ['F150', 'CIVIC'] });
    await userEvent.click(screen.getByRole('button', { name: 'Remove Ford' }));
    expect(searches().map((search) => search.filters)).toEqual([
      { makeCode: ['HONDA'], modelCode: ['CIVIC'] },
    ]);
    expect(makes()[0]).toHaveFocus();
  });

  it('removes an empty make group without a search', async () => {
    const { searches } = mount({ makeCode: ['FORD'] });
    await userEvent.click(add()!);
    await userEvent.click(screen.getByRole('button', { name: 'Remove Make 2' }));
    expect(makes()).toHaveLength(1);
    expect(searches()).toHaveLength(0);
  });

  // rows: A2-UI-04, B6-FLAG-09
  it('opens the trim comparison of the selected model, while the model reference is on', async () => {
    const mountWith = (selectedFilters: FilterValues, modelReference = true) =>
      mountSearchSlot(filters, {
        criteria: { filters: selectedFilters },
        search: { filters: buildFilters(VEHICLE_FILTERS) },
        session: { flags: { modelReference } },
      });
    const two = mountWith({ makeCode: ['FORD'], modelCode: ['F150', 'ESCAPE'] });
    expect(screen.queryByRole('button', { name: 'Compare Trims' })).not.toBeInTheDocument();
    two.unmount();
    const withoutReference = mountWith({ makeCode: ['FORD'], modelCode: ['F150'] }, false);
    expect(screen.queryByRole('button', { name: 'Compare Trims' })).not.toBeInTheDocument();
    withoutReference.unmount();
    const { events } = mountWith({ makeCode: ['FORD'], modelCode: ['F150'] });
    await userEvent.click(screen.getByRole('button', { name: 'Compare Trims' }));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'dialog.requested', payload: { name: 'trims' } }),
    );
  });
});
