import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { affordablePrice, monthlyPayment } from './loan.ts';

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
});
