/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import filters from '../slots/filters.tsx';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';

it('shows each body style with a silhouette of its own', async () => {
  mountSearchSlot(filters);
  await userEvent.click(screen.getByText('Body Style', { selector: 'summary' }));
  const tiles = within(screen.getByRole('group', { name: 'Body Style' })).getAllByRole('checkbox');
  const bodies = tiles.map((tile) => tile.closest('label')?.querySelector('path')?.getAttribute('d'));
  expect(bodies).not.toContain(undefined);
  expect(new Set(bodies).size).toBe(tiles.length);
});

it('names commercial vans and SUVs as such, so that no style is listed twice', async () => {
  mountSearchSlot(filters);
  await userEvent.click(screen.getByText('Body Style', { selector: 'summary' }));
  const styles = within(screen.getByRole('group', { name: 'Body Style' }));
  expect(styles.getByRole('checkbox', { name: /^Commercial SUV/ })).toHaveAttribute('value', 'SUV');
  expect(styles.getByRole('checkbox', { name: /^Commercial Van/ })).toHaveAttribute('value', 'VANS');
  expect(styles.getByRole('checkbox', { name: /^SUV \/ Crossover/ })).toHaveAttribute('value', 'SUVCROSS');
});
