/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { searchStarted } from '@forecourt/search/state';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';

const mount = (parts: Partial<SearchCriteria> = {}, options: Parameters<typeof mountSearchSlot>[1] = {}) => {
  const criteria = buildCriteria(parts);
  return mountSearchSlot(toolbar, {
    ...options,
    criteria,
    search: { chips: buildChips(criteria), ...options.search },
  });
};

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

  it('shows a new number on a page that a browser has translated', () => {
    const shell = mount({ filters: { makeCode: ['FORD'], maxPrice: ['9000'] } });
    const button = screen.getByRole('button', { name: 'Filter (2)' });
    // A translator replaces texts by elements, which React no longer finds.
    const text = [...button.querySelectorAll('span')].find(
      ({ textContent }) => textContent === 'Filter (2)',
    )!;
    const translated = document.createElement('font');
    translated.textContent = 'Filtro (2)';
    text.replaceChildren(translated);
    const criteria = buildCriteria({ filters: { makeCode: ['FORD'] } });
    act(() => {
      shell.store.dispatch(searchStarted({ requestId: 'r1', criteria, url: '/cars-for-sale/all-cars' }));
    });
    expect(button).toHaveTextContent('Filter (1)');
    expect(button).not.toHaveTextContent('Filtro');
  });

  // rows: B2-TOOL-13
  it('shows no number without filters', () => {
    mount({ filters: { zip: ['60601'] } });
    expect(screen.getByRole('button', { name: 'Filter' })).toBeInTheDocument();
  });
});
