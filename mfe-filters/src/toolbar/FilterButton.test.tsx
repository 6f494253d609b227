/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot, watchScrolling } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';
import filters from '../slots/filters.tsx';

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

  // rows: B2-TOOL-13
  it('shows no number without filters', () => {
    mount({ filters: { zip: ['60601'] } });
    expect(screen.getByRole('button', { name: 'Filter' })).toBeInTheDocument();
  });

  it('shows a floating filter button after scrolling past the toolbar', async () => {
    const scrollTo = watchScrolling();
    const { events } = mount({ filters: { zip: ['60601'], makeCode: ['FORD'] } });
    const all = () => screen.getAllByRole('button', { name: 'Filter (1)' });
    const [button] = all();
    if (!button) throw new Error('no button');
    scrollTo(button, 300);
    expect(all()).toHaveLength(1);
    scrollTo(button, -10);
    expect(all()).toHaveLength(2);
    await userEvent.click(all()[1] ?? button);
    expect(events.at(-1)).toMatchObject({ type: 'dialog.requested', payload: { name: 'filters' } });
    scrollTo(button, 40);
    expect(all()).toHaveLength(1);
  });
});

describe('floating filter button', () => {
  it('shows once the panel is above the viewport and focuses the panel', async () => {
    const scrollTo = watchScrolling();
    mountSearchSlot(filters);
    const panel = screen.getByRole('form', { name: 'Filters' }).parentElement;
    if (!panel) throw new Error('no panel');
    const button = () => screen.queryByRole('button', { name: /^Filter( \(|$)/ });
    expect(button()).toBeNull();
    scrollTo(panel, -1);
    const floatingButton = button();
    if (floatingButton) await userEvent.click(floatingButton);
    expect(panel).toHaveFocus();
  });
});
