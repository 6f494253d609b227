/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { addFilters, clearFilters, type FilterValues } from '@forecourt/shared-contracts/criteria';
import { createLabels } from '@forecourt/shared-contracts/catalog';
import { setRange, setValues, toggleValue, undoMessage } from '../search/criteriaChanges.ts';
import { buildChips, buildFilters } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from './toolbar.tsx';

const labelOf = createLabels({ filters: buildFilters() });
const search = (filters: FilterValues) => buildCriteria({ filters });
const fords = search({ makeCode: ['FORD'], modelCode: ['F150'], minPrice: ['9000'] });

describe('undo message', () => {
  it.each([
    ['a chip', toggleValue(fords, 'modelCode', 'F150'), 'chip:modelCode:F150', 'F150 removed.'],
    ['all filters', clearFilters(fords), 'clearFilters', 'Filters cleared.'],
    ['a make with its model', setValues(fords, 'makeCode', []), 'filter:makeCode', '2 filters removed.'],
    ['a replaced bound', setRange(fords, 'priceRange', { min: 5000 }), 'filter:priceRange', 'Price changed.'],
  ])('has an undo message for %s', (_, after, cause, message) => {
    expect(undoMessage(fords, after, cause, labelOf)).toBe(message);
  });

  it('says that a replaced map area has changed, not that it is gone', () => {
    const near = search({ area: ['41.5~-88.2~42.1~-87.3'] });
    const moved = search({ area: ['40.5~-88.2~41.1~-87.3'] });
    expect(undoMessage(near, moved, 'map', labelOf)).toBe('Map area changed.');
    expect(undoMessage(near, search({}), 'chip:area', labelOf)).toBe('Map area removed.');
  });

  it.each([
    ['an added filter', addFilters(fords, { doorCode: ['4'] }), 'suggestion'],
    ['a checkbox that is clicked again', toggleValue(fords, 'modelCode', 'F150'), 'filter:modelCode'],
    ['another order', { ...fords, sortBy: 'yearDESC' as const }, 'sort'],
    ['an undo', clearFilters(fords), 'undo'],
  ])('has no undo message for %s', (_, after, cause) => {
    expect(undoMessage(fords, after, cause, labelOf)).toBeUndefined();
  });
});

describe('undo toast', () => {
  const heading = document.createElement('h2');
  heading.id = 'results-heading';
  afterEach(() => heading.remove());
  const selectedFilters: FilterValues = { makeCode: ['FORD', 'HONDA'], zip: ['60601'] };
  const mount = () => {
    document.body.append(heading);
    return mountSearchSlot(toolbar, {
      criteria: { filters: selectedFilters },
      search: { chips: buildChips(search(selectedFilters)) },
    });
  };

  it('restores the filters that Clear Filters removed and keeps the focus on the results', async () => {
    const { filters } = mount();
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(filters()).toEqual({});
    expect(screen.getByText('Filters cleared.')).toBeInTheDocument();
    act(() => screen.getByRole('button', { name: 'Undo' }).focus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(filters()).toEqual(selectedFilters));
    expect(screen.queryByText('Filters cleared.')).not.toBeInTheDocument();
    expect(heading).toHaveFocus();
  });

  it('undoes on Ctrl+Z outside of text fields', async () => {
    const { filters } = mount();
    await userEvent.click(screen.getByRole('link', { name: 'Remove Honda' }));
    expect(screen.getByText('Honda removed.')).toBeInTheDocument();
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Keyword search' }), { key: 'z', ctrlKey: true });
    expect(filters()).toEqual({ makeCode: ['FORD'], zip: ['60601'] });
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    await waitFor(() => expect(filters()).toEqual(selectedFilters));
    expect(screen.queryByText('Honda removed.')).not.toBeInTheDocument();
  });
});
