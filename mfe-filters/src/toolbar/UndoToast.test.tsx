/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';

const search = (filters: FilterValues) => buildCriteria({ filters });

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
