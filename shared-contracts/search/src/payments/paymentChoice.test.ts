import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LOAN_TERMS_MONTHS } from './loan.ts';
import { paymentSummary, readPaymentChoice } from './paymentChoice.ts';

const read = (query: string, price = 20_000) => readPaymentChoice(new URLSearchParams(query), price);

describe('readPaymentChoice', () => {
  it('uses the default terms when the query has none', () => {
    expect(read('')).toEqual({ down: 2000, termMonths: 72, aprPercent: 6.99 });
  });

  it("uses the wallet's terms where the query has none", () => {
    const wallet = { monthlyBudget: 1, downPayment: 3000, tradeInValue: 500, termMonths: 60, aprPercent: 5 };
    expect(readPaymentChoice(new URLSearchParams('apr=4'), 20_000, wallet)).toEqual({
      down: 3500,
      termMonths: 60,
      aprPercent: 4,
    });
    expect(readPaymentChoice(new URLSearchParams(), 2000, wallet).down).toBe(2000);
  });

  it('accepts dollar signs, commas, percent signs and spaces', () => {
    expect(read('down=$5,000').down).toBe(5000);
    expect(read('term=48&apr=3.5 %')).toMatchObject({ termMonths: 48, aprPercent: 3.5 });
  });

  it('clamps a payment choice to its limits for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.nat(1_000_000), (down, term, apr, price) => {
        const choice = readPaymentChoice(new URLSearchParams({ down, term, apr }), price);
        expect(choice.down).toBeGreaterThanOrEqual(0);
        expect(choice.down).toBeLessThanOrEqual(price);
        expect(LOAN_TERMS_MONTHS as readonly number[]).toContain(choice.termMonths);
        expect(choice.aprPercent).toBeGreaterThanOrEqual(0);
        expect(choice.aprPercent).toBeLessThanOrEqual(30);
      }),
    );
  });
});

describe('paymentSummary', () => {
  it('states the monthly payment, the terms and the total', () => {
    expect(paymentSummary(20_000, { down: 2000, termMonths: 60, aprPercent: 0 })).toEqual({
      monthly: 300,
      detail: '60 months at 0% APR, $2,000 down. Total with interest $20,000.',
    });
  });
});
