/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';

describe('fuel types', () => {
  // rows: B2-MODAL-10
  it('opens the dialog about electric vehicle types', async () => {
    const { events } = mountSearchSlot(filters);
    await userEvent.click(screen.getByText('Fuel Type'));
    await userEvent.click(screen.getByRole('button', { name: 'Electric vehicle types' }));
    expect(events.at(-1)).toMatchObject({ type: 'dialog.requested', payload: { name: 'electricVehicles' } });
  });
});
