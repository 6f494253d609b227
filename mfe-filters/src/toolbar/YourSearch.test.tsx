/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';

describe('Your Search', () => {
  // rows: B2-BOX-02, B2-BOX-03
  it('shows the title, the number of matches and the chips', () => {
    const chip = {
      key: 'makeCode:FORD',
      label: 'Ford',
      kind: 'value' as const,
      section: 'makeCode',
      params: ['makeCode' as const],
      values: ['FORD'],
    };
    const other = { ...chip, key: 'makeCode:HONDA', label: 'Honda', values: ['HONDA'] };
    mountSearchSlot(toolbar, {
      criteria: { filters: { makeCode: ['FORD', 'HONDA'] } },
      search: { chips: [chip, other], totalResultCount: 120 },
    });
    const box = screen.getByRole('region', { name: 'Your Search' });
    expect(within(box).getByText('120 Matches')).toBeInTheDocument();
    const chips = within(within(box).getByRole('list', { name: 'Selected filters' }));
    expect(chips.getByRole('link', { name: /Ford/ })).toBeInTheDocument();
    expect(chips.getByRole('link', { name: /Honda/ })).toBeInTheDocument();
  });
});
