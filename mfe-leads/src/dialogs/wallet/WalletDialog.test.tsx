/** @jest-environment jest-fixed-jsdom */
import { FLAGS } from '@forecourt/search/brands';
import { affordablePrice, WALLET_EXAMPLE_MONTHLY } from '@forecourt/search/payments';
import type { SessionState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { dialog, field, fillIn, mountLeads } from '../../testing/mountLeads.tsx';
import { budgetPrice, DEFAULT_FIELDS, fieldsToWallet, walletPayment } from './terms.ts';
import { walletFormSchema } from '../../form/checks.ts';

const wallet: NonNullable<SessionState['wallet']> = {
  monthlyBudget: 500,
  downPayment: 2000,
  termMonths: 60,
  aprPercent: 6,
  tradeInValue: 1000,
};

const open = async (shell: ReturnType<typeof mountLeads>, listingId?: string) => {
  shell.send('dialog.requested', { name: 'wallet', ...(listingId && { listingId }) });
  const openedDialog = await dialog('Your budget');
  await screen.findByRole('textbox', { name: /^Monthly budget/ });
  return openedDialog;
};

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('wallet', () => {
  // rows: B9-PAYMENT-01
  it('covers the same price with its default fields as the example of the page', () => {
    const example = affordablePrice(WALLET_EXAMPLE_MONTHLY);
    expect(Math.abs(budgetPrice(fieldsToWallet(DEFAULT_FIELDS)) - example)).toBeLessThanOrEqual(1);
  });

  // rows: A2-UI-10, B2-MODAL-07, B1-OFFER-05, B3-PAY-01, B4-PANEL-16
  it('opens the wallet with the default budget, saves the terms and turns on payments on cards', async () => {
    const shell = mountLeads();
    await open(shell);
    expect(field(/^Monthly budget/)).toHaveValue('600');
    await fillIn({ 'Monthly budget': '$500', 'Down payment': '2,000', 'Trade-in value': '1000', APR: '6' });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Term' }), '60');
    await userEvent.click(screen.getByRole('button', { name: 'Show payments' }));
    await waitFor(() => expect(shell.eventsOf('wallet.changed')).toEqual([{ wallet }]));
    expect(walletFormSchema.safeParse(wallet).success).toBe(true);
    expect(shell.store.getState().session).toMatchObject({ wallet, showsPayments: true });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByText(/^Budget saved\./)).toBeVisible();
    await open(shell);
    expect(field(/^Monthly budget/)).toHaveValue('500');
  });

  // rows: B6-FLAG-02
  it('does not open while its flag is off', async () => {
    const shell = mountLeads({ session: { flags: { ...FLAGS, wallet: false } } });
    shell.send('dialog.requested', { name: 'emailSearch' });
    await screen.findByRole('dialog');
    shell.send('dialog.requested', { name: 'wallet' });
    await act(() => Promise.resolve());
    expect(screen.getByRole('dialog')).not.toHaveAccessibleName('Your budget');
  });

  it('shows an error beside the invalid field and changes nothing', async () => {
    const shell = mountLeads();
    await open(shell);
    await fillIn({ 'Monthly budget': '', APR: '99' });
    await userEvent.click(screen.getByRole('button', { name: 'Show payments' }));
    await waitFor(() => expect(field(/^Monthly budget/)).toHaveFocus());
    expect(field(/^Monthly budget/)).toHaveAccessibleDescription('Enter a monthly budget in dollars');
    expect(field(/^APR/)).toHaveAccessibleDescription('At most 50%');
    expect(shell.eventsOf('wallet.changed')).toEqual([]);
  });

  it.each([
    ['the entered down payment', wallet, '500-3000-60-6'],
    [
      'a share of each price',
      { monthlyBudget: 150, termMonths: 72, aprPercent: 6.99, tradeInValue: 0 },
      '150',
    ],
  ])('searches by the payment filter with %s', async (_, budget, expected) => {
    const { criteria } = buildState().search;
    const shell = mountLeads({
      search: { criteria: { ...criteria, filters: { makeCode: ['FORD'], minPrice: ['90000'] } } },
      session: { wallet: budget },
    });
    await open(shell);
    await userEvent.click(screen.getByRole('button', { name: 'See cars in my budget' }));
    await waitFor(() => expect(shell.eventsOf('search.changeRequested')).toHaveLength(1));
    const [change] = shell.eventsOf('search.changeRequested') as [{ criteria: { filters: object } }];
    expect(change.criteria.filters).toEqual({
      makeCode: ['FORD'],
      minPrice: ['90000'],
      monthlyPayment: [expected],
    });
  });

  it('clears the wallet and restores it with Undo', async () => {
    const shell = mountLeads({ session: { wallet, showsPayments: true } });
    await open(shell);
    await userEvent.click(screen.getByRole('button', { name: 'Clear wallet' }));
    expect(shell.store.getState().session).toMatchObject({ wallet: null, showsPayments: false });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(shell.store.getState().session).toMatchObject({ wallet, showsPayments: true });
  });

  // rows: B9-PAYMENT-01
  it('covers the price whose payment equals the budget, at any terms', () => {
    fc.assert(
      fc.property(
        fc.record({
          monthlyBudget: fc.integer({ min: 1, max: 5000 }),
          downPayment: fc.integer({ min: 0, max: 50_000 }),
          termMonths: fc.integer({ min: 1, max: 120 }),
          aprPercent: fc.integer({ min: 0, max: 5000 }).map((hundredths) => hundredths / 100),
          tradeInValue: fc.integer({ min: 0, max: 50_000 }),
        }),
        (terms) => {
          const price = budgetPrice(terms);
          expect(walletPayment(price, terms)).toBeLessThanOrEqual(terms.monthlyBudget);
          expect(walletPayment(price + terms.termMonths + 1, terms)).toBeGreaterThanOrEqual(
            terms.monthlyBudget,
          );
        },
      ),
    );
    // P = (30,000 - 3,000) r / (1 - (1 + r)^-60), r = 0.06 / 12
    expect(walletPayment(30_000, wallet)).toBe(522);
  });
});
