import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import { PRICE_INPUT_MAX_LENGTH, priceRangeError, readPriceInput } from './priceInput.ts';

// rows: B9-LEN-02
it('limits a price input to 10 characters', () => {
  expect(PRICE_INPUT_MAX_LENGTH).toBe(10);
});

describe('price ranges', () => {
  // rows: B5-PRICE-01
  it('rejects equal bounds', () => {
    expect(priceRangeError(10000, 10000)).toBe('Min and Max price cannot be the same.');
  });

  // rows: B5-PRICE-02
  it('rejects a minimum above the maximum', () => {
    expect(priceRangeError(20000, 10000)).toBe('Max price must be greater than Min price.');
  });

  // rows: B5-PRICE-03
  it('reports a maximum of 0 before any other error', () => {
    expect(priceRangeError(undefined, 0)).toBe('Max price must be greater than 0.');
    expect(priceRangeError(0, 0)).toBe('Max price must be greater than 0.');
    expect(priceRangeError(5000, 0)).toBe('Max price must be greater than 0.');
  });

  it('accepts open and ordered ranges, and a minimum of 0 as no minimum', () => {
    expect(priceRangeError(undefined, undefined)).toBeUndefined();
    expect(priceRangeError(5, undefined)).toBeUndefined();
    expect(priceRangeError(0, 5)).toBeUndefined();
    expect(priceRangeError(4, 5)).toBeUndefined();
  });
});

describe('price inputs', () => {
  const value = (text: string) => {
    const input = readPriceInput(text);
    return input.kind === 'valid' ? input.value : input.kind;
  };

  // rows: B5-PINPUT-01
  it('accepts digits, commas and dollar signs only', () => {
    expect(value('12a')).toBe('refused');
    expect(value('$12,000')).toBe(12000);
    expect(value('')).toBe('empty');
    expect(value('$,')).toBe('refused');
  });

  // rows: B5-PINPUT-02
  it('accepts 1 to 10 characters', () => {
    expect(value('1234567890')).toBe(1234567890);
    expect(value('12345678901')).toBe('refused');
    expect(value('$1,234,5678')).toBe('refused');
  });

  // rows: B5-PINPUT-03, B5-PINPUT-04
  it('accepts neither decimals nor leading zeros, but 0 alone', () => {
    expect(value('100.50')).toBe('refused');
    expect(value('0100')).toBe('refused');
    expect(value('$0100')).toBe('refused');
    expect(value('0')).toBe(0);
  });

  it('parses every whole price in any of its notations', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_999_999 }), (price) => {
        expect(readPriceInput(String(price))).toEqual({ kind: 'valid', value: price });
        expect(readPriceInput(`$${price.toLocaleString('en-US')}`)).toEqual({ kind: 'valid', value: price });
      }),
    );
  });
});
