import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { affordablePrice, monthlyPayment, paymentText, walletTerms } from './loan.ts';

describe('payments', () => {
  // rows: B9-PAYMENT-01
  it('follows the amortization formula in whole dollars', () => {
    expect(monthlyPayment(30000)).toBe(460);
    expect(monthlyPayment(30000, { down: 0, termMonths: 60, aprPercent: 0 })).toBe(500);
    expect(monthlyPayment(1000, { down: 5000 })).toBe(0);
  });

  it('stays within a budget for the price that it can pay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 5000 }), (budget) => {
        expect(monthlyPayment(affordablePrice(budget))).toBeLessThanOrEqual(budget);
        expect(monthlyPayment(affordablePrice(budget) + 200)).toBeGreaterThan(budget);
      }),
    );
  });

  // rows: B9-PAYMENT-01
  it('keeps the down payment a share of each price until the shopper enters an amount', () => {
    const wallet = { monthlyBudget: 600, termMonths: 72, aprPercent: 6.99, tradeInValue: 0 };
    for (const price of [9_000, 30_000])
      expect(monthlyPayment(price, walletTerms(wallet))).toBe(monthlyPayment(price));
    expect(walletTerms({ ...wallet, downPayment: 0 })).toMatchObject({ down: 0 });
    expect(walletTerms({ ...wallet, downPayment: 2_000, tradeInValue: 1_000 })).toMatchObject({
      down: 3_000,
    });
  });

  it('never says $0 a month', () => {
    expect(paymentText(monthlyPayment(1_000, { down: 5_000 }))).toBe('Covered by your down payment');
    expect(paymentText(512)).toBe('$512/mo');
  });
});
