/** @jest-environment jest-fixed-jsdom */
import { formatDollars } from '@forecourt/search/format';
import { LOAN_TERMS_MONTHS, monthlyPayment } from '@forecourt/search/payments';
import type { SessionState } from '@forecourt/search/state';
import { buildListing } from '@forecourt/search/testing';
import { CALLS } from '@forecourt/upstream/calls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dialog, field, fillIn, mountLeads } from '../../testing/mountLeads.tsx';
import { walletPayment } from './terms.ts';
import { dealKind, buildDeal } from './saveDeal.ts';

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
    // Empty until the shopper enters an amount: a share of each price.
    expect(field(/^Down payment/)).toHaveValue('');
    expect(screen.getByText(`${formatDollars(monthlyPayment(32_995))}/mo`)).toBeVisible();
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
