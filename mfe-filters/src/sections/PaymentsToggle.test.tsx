/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';

const toggle = () => screen.getByRole('switch', { name: 'Show Payments' });

const open = () => userEvent.click(screen.getByText('Monthly Payment'));

describe('payments switch', () => {
  // rows: B4-PANEL-15, B4-PANEL-16, B1-OFFER-05
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

  // rows: B1-OFFER-05, B6-FLAG-02, B6-FLAG-12
  it.each([
    ['the flag is off', { flags: resolveFlags(BRANDS.atc, { wallet: false }) }],
    ['the brand has none', { brand: 'oem' as const, flags: resolveFlags(BRANDS.oem, { wallet: true }) }],
  ])('renders no controls of the wallet when %s', async (_, session) => {
    const terms = () => screen.queryByRole('button', { name: 'Change terms' });
    const { unmount } = mountSearchSlot(filters);
    await open();
    expect([toggle(), terms()]).not.toContain(null);
    unmount();
    mountSearchSlot(filters, { session });
    await open();
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    expect(terms()).not.toBeInTheDocument();
  });
});
