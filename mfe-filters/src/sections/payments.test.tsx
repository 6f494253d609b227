/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/shared-contracts/brands';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';

const toggle = () => screen.getByRole('switch', { name: 'Show Payments' });

describe('payments switch', () => {
  // rows: B4-PANEL-15, B4-PANEL-16
  it('opens the wallet when payments are turned on, not when turned off', async () => {
    const { events, store } = mountSearchSlot(filters);
    const types = () => events.map(({ type, payload }) => [type, payload]);
    expect(toggle()).not.toBeChecked();
    await userEvent.click(toggle());
    expect(store.getState().session.showsPayments).toBe(true);
    expect(toggle()).toBeChecked();
    expect(types()).toEqual([
      ['payments.showRequested', { show: true }],
      ['dialog.requested', { name: 'wallet' }],
    ]);
    await userEvent.click(toggle());
    expect(store.getState().session.showsPayments).toBe(false);
    expect(types().slice(2)).toEqual([['payments.showRequested', { show: false }]]);
  });

  it('renders no payments switch for brands without a wallet', () => {
    mountSearchSlot(filters, { session: { brand: 'oem', flags: resolveFlags(BRANDS.oem) } });
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  });
});

describe('fuel types', () => {
  // rows: B2-MODAL-10
  it('opens the dialog about electric vehicle types', async () => {
    const { events } = mountSearchSlot(filters);
    await userEvent.click(screen.getByText('Fuel Type'));
    await userEvent.click(screen.getByRole('button', { name: 'Electric vehicle types' }));
    expect(events.at(-1)).toMatchObject({ type: 'dialog.requested', payload: { name: 'electricVehicles' } });
  });
});
