/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as storage from './marketplaceStorage.ts';

const all = Object.values(storage);
const getItem = Storage.prototype.getItem;
const setItem = Storage.prototype.setItem;

afterEach(() => {
  Storage.prototype.getItem = getItem;
  Storage.prototype.setItem = setItem;
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('values in the browser’s storage', () => {
  it('round-trips values in the storage area that they belong to', () => {
    const wallet = {
      monthlyBudget: 600,
      downPayment: 0,
      termMonths: 72,
      aprPercent: 6.99,
      tradeInValue: 100,
    };
    storage.savedListingsStorage.write(['2', '1']);
    storage.walletStorage.write(wallet);
    storage.recentListingsStorage.write([{ listingId: '1', viewedAt: 5 }]);
    storage.viewedListingsStorage.write(['9']);
    expect(storage.savedListingsStorage.read()).toEqual(['2', '1']);
    expect(storage.walletStorage.read()).toEqual(wallet);
    expect(storage.recentListingsStorage.read()).toEqual([{ listingId: '1', viewedAt: 5 }]);
    expect(window.sessionStorage.getItem('viewedListings')).toBe('["9"]');
    expect(window.localStorage.getItem('viewedListings')).toBeNull();
  });

  it('returns the empty value for invalid data', () => {
    const anyJson = fc.oneof(fc.jsonValue(), fc.array(fc.record({ listingId: fc.jsonValue() })));
    fc.assert(
      fc.property(
        fc.oneof(
          anyJson.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (text) => {
          for (const item of all) {
            const value = item.parse(text);
            // Idempotent: parsed values parse to themselves.
            expect(item.parse(JSON.stringify(value))).toEqual(value);
          }
        },
      ),
    );
    expect(storage.savedListingsStorage.parse('[1,"","a",{}]')).toEqual(['a']);
    expect(storage.recentSearchesStorage.parse('[{"url":"/x"}]')).toEqual([]);
  });

  // rows: B3-PAY-01
  it('accepts a wallet only if its monthly budget is a number', () => {
    const wallet = { monthlyBudget: 600, downPayment: 0, termMonths: 72, aprPercent: 6.99, tradeInValue: 0 };
    expect(storage.walletStorage.parse(JSON.stringify(wallet))).toEqual(wallet);
    for (const monthlyBudget of ['600', null, -1, undefined])
      expect(storage.walletStorage.parse(JSON.stringify({ ...wallet, monthlyBudget }))).toBeNull();
  });

  it('returns empty values and does not throw when storage is blocked', () => {
    Storage.prototype.getItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    for (const item of all) expect(() => item.read()).not.toThrow();
    expect(() => storage.savedListingsStorage.write(['1'])).not.toThrow();
    expect(storage.savedListingsStorage.read()).toEqual([]);
  });

  it('uses a unique key for each value', () => {
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });
});
