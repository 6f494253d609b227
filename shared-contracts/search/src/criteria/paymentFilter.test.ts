import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeQuery } from './decode.ts';
import {
  highestPriceWithin,
  paymentLimitLabel,
  readPaymentLimit,
  writePaymentLimit,
} from './paymentFilter.ts';
import { LOAN_TERMS_MONTHS, type LoanTerms, monthlyPayment } from '../payments/loan.ts';

const value = (query: string) => decodeQuery(query).filters.monthlyPayment;

const anyTerms = fc.record(
  {
    down: fc.nat(200_000),
    termMonths: fc.constantFrom(...LOAN_TERMS_MONTHS),
    aprPercent: fc.nat(3_000).map((hundredths) => hundredths / 100),
  },
  { requiredKeys: [] },
);

describe('paymentFilter', () => {
  it('leaves out terms that are the default', () => {
    expect(value('monthlyPayment=400')).toEqual(['400']);
    expect(value('monthlyPayment=$1,400--72-6.99')).toEqual(['1400']);
    expect(value('monthlyPayment=400-3000-72-6.99')).toEqual(['400-3000']);
    expect(value('monthlyPayment=400--60')).toEqual(['400--60']);
    expect(value('monthlyPayment=400-3000-60-5.90')).toEqual(['400-3000-60-5.9']);
  });

  it('drops an invalid amount, and replaces invalid terms with the default', () => {
    for (const text of ['', '0', 'x', '-3000', '1e3'])
      expect(value(`monthlyPayment=${text}`)).toBeUndefined();
    expect(value('monthlyPayment=400-x-61-99x')).toEqual(['400']);
    expect(value('monthlyPayment=400---99')).toEqual(['400---30']);
  });

  it('merges the fields of a form without JavaScript, which need a payment', () => {
    const fields = 'paymentDown=$3,000&paymentTerm=60&paymentApr=5.9';
    const { filters, unknown } = decodeQuery(`monthlyPayment=400-1-36-1&${fields}`);
    expect(filters).toEqual({ monthlyPayment: ['400-3000-60-5.9'] });
    expect(unknown).toEqual([]);
    expect(value('monthlyPayment=400-1-36-1&paymentDown=&paymentTerm=60')).toEqual(['400-1-60-1']);
    expect(decodeQuery(`monthlyPayment=&${fields}`).filters).toEqual({});
  });

  it('reads what it writes, and writes one text for equal terms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), anyTerms, (max, terms) => {
        const text = writePaymentLimit({ max, terms });
        const limit = readPaymentLimit(text)!;
        expect(writePaymentLimit(limit)).toBe(text);
        expect(limit.max).toBe(max);
        expect(monthlyPayment(31_234, limit.terms)).toBe(monthlyPayment(31_234, terms));
      }),
    );
  });

  it('finds the highest price whose payment is within the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), anyTerms, (max, terms: LoanTerms) => {
        const price = highestPriceWithin({ max, terms });
        expect(monthlyPayment(price, terms)).toBeLessThanOrEqual(max);
        expect(monthlyPayment(price + 1, terms)).toBeGreaterThan(max);
      }),
    );
  });

  it('labels the payment with the terms unless they are the default', () => {
    expect(paymentLimitLabel('400')).toBe('$400/mo or less');
    expect(paymentLimitLabel('400-3000')).toBe('$400/mo or less ($3,000 down, 72 mo at 6.99%)');
    expect(paymentLimitLabel('1200--60-5.9')).toBe('$1,200/mo or less (10% down, 60 mo at 5.9%)');
  });
});
