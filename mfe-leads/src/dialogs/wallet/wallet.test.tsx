/** @jest-environment jest-fixed-jsdom */
import { CALLS } from '@forecourt/shared-contracts/calls';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import {
  affordablePrice,
  LOAN_TERMS_MONTHS,
  WALLET_EXAMPLE_MONTHLY,
} from '@forecourt/shared-contracts/rules';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { dialog, field, fillIn, mountLeads } from '../../testing/mountLeads.tsx';
import { dealKind, buildDeal } from './ListingDeal.tsx';
import { amendPaymentUrl } from './sellerTerms.ts';
import { budgetPrice, defaultFields, fieldsToWallet, walletPayment } from './terms.ts';
import { walletFormSchema } from '../../form/checks.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';

const wallet: NonNullable<SessionState['wallet']> = {
  monthlyBudget: 500,
  downPayment: 2000,
  termMonths: 60,
  aprPercent: 6,
  tradeInValue: 1000,
};
const open = async (shell: ReturnType<typeof mountLeads>, listingId?: string) => {
  shell.send('dialog.requested', { name: 'wallet', ...(listingId && { listingId }) });
  const openedDialog = await dialog('My wallet');
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
    expect(Math.abs(budgetPrice(fieldsToWallet(defaultFields())) - example)).toBeLessThanOrEqual(1);
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
    expect(screen.getByText(/^Wallet saved\./)).toBeVisible();
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
    expect(screen.getByRole('dialog')).not.toHaveAccessibleName('My wallet');
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

  it('searches up to the price that the budget covers and drops a minimum above it', async () => {
    const criteria = {
      filters: { makeCode: ['FORD'], minPrice: ['90000'] },
      sortBy: 'relevance' as const,
      firstRecord: 0,
      numRecords: 30,
      unknown: [],
    };
    const shell = mountLeads({ search: { criteria }, session: { wallet } });
    await open(shell);
    await userEvent.click(screen.getByRole('button', { name: 'See cars in my budget' }));
    await waitFor(() => expect(shell.eventsOf('search.changeRequested')).toHaveLength(1));
    const [change] = shell.eventsOf('search.changeRequested') as [{ criteria: { filters: object } }];
    expect(change.criteria.filters).toEqual({ makeCode: ['FORD'], maxPrice: ['28800'] });
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

describe("deal at the wallet's terms", () => {
  const listing = buildListing({
    paymentServices: { uiEnabled: true, paymentCalculationUrl: '/payments/calculate?listingId=1001' },
  });

  // rows: B7-OTHER-01, B7-DEAL-01, B7-DEAL-02, B3-DEAL-01
  it('shows the seller’s calculation, saves the deal once beside others, then updates it', async () => {
    window.localStorage.setItem('savedDeals', '{"1002":"3"}');
    const shell = mountLeads({
      search: { listings: [listing] },
      session: { wallet },
      calls: {
        paymentCalculation: () => ({
          monthlyPayment: 432,
          term: 60,
          apr: 6,
          type: 'finance',
          downPayment: 3000,
          incentives: 0,
          price: 1,
        }),
        saveDeal: (body) => ({ ...body, id: '7' }),
        updateDeal: (body) => ({ ...body, id: '7' }),
      },
    });
    const openedDialog = await open(shell, '1001');
    expect(await within(openedDialog).findByText('$432/mo', undefined, { timeout: 3000 })).toBeVisible();
    expect(shell.calls.find(({ name }) => name === 'paymentCalculation')?.params).toEqual({
      listingId: '1001',
      enableLease: 'false',
      disableIncentives: 'true',
      hasSpecialOffers: 'false',
      defaultRate: 'false',
      dealerId: 'd1',
      partnerId: 'atc',
      downPayment: '3000',
      term: '60',
      apr: '6',
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save this deal' }));
    expect(await screen.findByText('This deal is saved.')).toBeVisible();
    const [body] = shell.bodiesOf('saveDeal');
    expect(body).toMatchObject({
      carId: '1001',
      deal: { dealType: 'finance', price: 32_995, monthlyPayment: 432 },
    });
    expect(CALLS.saveDeal.body.safeParse(body).success).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Save this deal' }));
    await waitFor(() =>
      expect(shell.calls.filter(({ name }) => name === 'updateDeal').map(({ params }) => params)).toEqual([
        { id: '7' },
      ]),
    );
    expect(shell.bodiesOf('saveDeal')).toHaveLength(1);
    expect(JSON.parse(window.localStorage.getItem('savedDeals')!)).toEqual({ 1001: '7', 1002: '3' });
  });

  // rows: A7-PAY-01, A7-PAY-02, A7-PAY-03, A7-PAY-04, A7-PAY-05
  it('lists the incentives on a vehicle and asks for none without their URL', async () => {
    const incentive = {
      ...{ id: '1', name: '$1,500 customer cash', kind: 'cash', amount: 1500, expires: '2026-06-30' },
      disclaimer: 'Included in the price shown.',
    };
    const paymentServices = { uiEnabled: true, incentivesUrl: '/payments/incentives?listingId=1001' };
    const withIncentives = {
      search: { listings: [buildListing({ paymentServices, listingType: 'NEW', hasSpecialOffer: true })] },
      calls: { incentives: () => ({ incentives: [incentive] }) },
    };
    const shell = mountLeads(withIncentives);
    const incentives = within(await open(shell, '1001'));
    const list = within(await incentives.findByRole('region', { name: 'Incentives' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '$1,500 customer cashEnds June 30, 2026. Included in the price shown.',
    ]);
    expect(shell.calls.find(({ name }) => name === 'incentives')?.params).toEqual({
      listingId: '1001',
      enableLease: 'false',
      disableIncentives: 'false',
      hasSpecialOffers: 'true',
      defaultRate: 'false',
      dealerId: 'd1',
      partnerId: 'atc',
    });
    cleanup();
    const withoutUrl = mountLeads({ ...withIncentives, search: { listings: [listing] } });
    const openedDialog = within(await open(withoutUrl, '1001'));
    expect(openedDialog.queryByRole('region', { name: 'Incentives' })).toBeNull();
    expect(withoutUrl.calls.some(({ name }) => name === 'incentives')).toBe(false);
  });

  // rows: B7-OTHER-01, B9-PAYMENT-01
  it('shows the estimate when the seller calculates with another term or rate', async () => {
    for (const other of [{ term: 72 }, { apr: 5 }]) {
      const calculation = {
        monthlyPayment: 432,
        term: 60,
        apr: 6,
        type: 'finance',
        downPayment: 3000,
        price: 1,
      };
      const shell = mountLeads({
        search: { listings: [listing] },
        session: { wallet },
        calls: {
          paymentCalculation: () => ({ incentives: 0, ...calculation, ...other }),
          saveDeal: () => ({ id: '7' }),
        },
      });
      await open(shell, '1001');
      await waitFor(() => expect(shell.calls.some(({ name }) => name === 'paymentCalculation')).toBe(true), {
        timeout: 3000,
      });
      await act(() => Promise.resolve());
      expect(screen.getByText(`$${walletPayment(32_995, wallet)}/mo`)).toBeVisible();
      expect(screen.getByText('estimated')).toBeVisible();
      shell.unmount();
    }
  });

  it('does not save a deal at invalid terms', async () => {
    const shell = mountLeads({ search: { listings: [listing] }, session: { wallet } });
    await open(shell, '1001');
    await fillIn({ APR: '' });
    expect(screen.getByText('Enter your terms to see the payment.')).toBeVisible();
    await fillIn({ APR: '60', 'Down payment': '-5000' });
    await userEvent.click(screen.getByRole('button', { name: 'Save this deal' }));
    await waitFor(() => expect(field(/^APR/)).toHaveAccessibleDescription('At most 50%'));
    expect(field(/^Down payment/)).toBeInvalid();
    expect(shell.bodiesOf('saveDeal')).toEqual([]);
  });

  // rows: B9-PAYMENT-01
  it('defaults to a tenth of the price down and the default loan term', async () => {
    const shell = mountLeads({ search: { listings: [listing] } });
    await open(shell, '1001');
    expect(field(/^Down payment/)).toHaveValue('3300');
    const term = screen.getByRole('combobox', { name: 'Term' });
    expect(term).toHaveValue('72');
    expect(within(term).getAllByRole('option')).toHaveLength(LOAN_TERMS_MONTHS.length);
  });

  // rows: B8-ERR-14
  it('shows the upstream’s error when a deal was not saved, and saves once on a double click', async () => {
    const shell = mountLeads({
      search: { listings: [listing] },
      session: { wallet },
      calls: {
        paymentCalculation: () => null,
        saveDeal: () => ({ error: 'Circuit Breaker for /deals is open', path: '/deals' }),
      },
    });
    await open(shell, '1001');
    const save = screen.getByRole('button', { name: 'Save this deal' });
    await act(async () => {
      save.click();
      save.click();
    });
    expect(await screen.findByText(/Circuit Breaker for \/deals is open/)).toBeVisible();
    expect(shell.bodiesOf('saveDeal')).toHaveLength(1);
  });

  // rows: B5-URL-04
  it('counts a deal of unknown kind as finance', () => {
    expect(['xyz', undefined, 'finance', 'lease', 'cash'].map(dealKind)).toEqual([
      'finance',
      'finance',
      'finance',
      'lease',
      'cash',
    ]);
    expect(buildDeal('1', 10_000, wallet, 137).deal.dealType).toBe('finance');
  });
});

describe('amendPaymentUrl', () => {
  const amended = (options: { listing?: object; owner?: object } = {}) => {
    const url = amendPaymentUrl('/payments/calculate?listingId=1&x=y', {
      listing: buildListing({ ...options.listing }),
      owner: buildOwner({ ...options.owner }),
      brand: 'kbb',
    });
    return Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  };

  // rows: A7-PAY-01, A7-PAY-02, A7-PAY-03, A7-PAY-04, A7-PAY-05, A3-LISTING-14, A3-LISTING-15
  it('adds lease, incentives, special offers, dealer, partner and rate, and keeps the query', () => {
    expect(amended()).toEqual({
      listingId: '1',
      x: 'y',
      enableLease: 'false',
      disableIncentives: 'true',
      hasSpecialOffers: 'false',
      defaultRate: 'false',
      dealerId: 'd1',
      partnerId: 'kbb',
    });
    expect(
      amended({
        listing: {
          listingType: 'NEW',
          hasSpecialOffer: true,
          paymentServices: { uiEnabled: true, dealerSettings: { leaseEnabled: true } },
        },
      }),
    ).toMatchObject({ enableLease: 'true', disableIncentives: 'false', hasSpecialOffers: 'true' });
  });

  // rows: A6-ROLE-05
  it('uses the default rate, no lease and no dealer for a private seller', () => {
    const params = amended({
      owner: { privateSeller: true },
      listing: { paymentServices: { uiEnabled: true, dealerSettings: { leaseEnabled: true } } },
    });
    expect(amended()).toMatchObject({ defaultRate: 'false' });
    expect(params).toMatchObject({ defaultRate: 'true', enableLease: 'false' });
    expect(params).not.toHaveProperty('dealerId');
    expect(params).not.toHaveProperty('partnerId');
  });
});
