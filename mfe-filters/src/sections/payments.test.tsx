/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/shared-contracts/brands';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
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

describe('payment filter', () => {
  const radio = (name: RegExp) => screen.getByRole('radio', { name });
  const wallet = {
    monthlyBudget: 600,
    downPayment: 2_000,
    termMonths: 60,
    aprPercent: 5,
    tradeInValue: 1_000,
  };

  it('searches by the default terms, with the counts of the response', async () => {
    const { events } = mountSearchSlot(filters);
    await open();
    expect(screen.getByText(/10% down and 72 months at 6.99% APR/)).toBeVisible();
    await userEvent.click(radio(/\$400\/mo or less.*12,000/));
    expect(events.at(-1)).toMatchObject({
      type: 'search.changeRequested',
      payload: { criteria: { filters: { monthlyPayment: ['400'] } }, cause: 'filter:monthlyPayment' },
    });
  });

  it("searches by the wallet's terms, without counts that were made by other terms", async () => {
    const { events } = mountSearchSlot(filters, { session: { wallet } });
    await open();
    expect(screen.getByText(/\$3,000 down and 60 months at 5% APR/)).toBeVisible();
    expect(screen.queryByRole('radio', { name: /12,000/ })).toBeNull();
    await userEvent.click(radio(/\$400\/mo or less/));
    expect(events.at(-1)).toMatchObject({
      payload: { criteria: { filters: { monthlyPayment: ['400-3000-60-5'] } } },
    });
  });

  it('keeps the terms of the search until the visitor asks for their own', async () => {
    const criteria = buildCriteria({ filters: { monthlyPayment: ['400'] } });
    const { events } = mountSearchSlot(filters, { criteria, session: { wallet } });
    expect(radio(/\$400\/mo or less/)).toBeChecked();
    expect(screen.getByText(/10% down/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Use my terms' }));
    expect(events.at(-1)).toMatchObject({
      payload: { criteria: { filters: { monthlyPayment: ['400-3000-60-5'] } } },
    });
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
