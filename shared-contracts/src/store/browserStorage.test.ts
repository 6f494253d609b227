/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { browserStorage } from './browserStorage.ts';

const all = Object.values(browserStorage);
const getItem = Storage.prototype.getItem;
const setItem = Storage.prototype.setItem;

afterEach(() => {
  Storage.prototype.getItem = getItem;
  Storage.prototype.setItem = setItem;
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('what the browser keeps', () => {
  it('comes back as it was written, in the storage that it belongs to', () => {
    const wallet = {
      monthlyBudget: 600,
      downPayment: 0,
      termMonths: 72,
      aprPercent: 6.99,
      tradeInValue: 100,
    };
    browserStorage.savedListings.write(['2', '1']);
    browserStorage.wallet.write(wallet);
    browserStorage.recentInventory.write([{ listingId: '1', viewedAt: 5 }]);
    browserStorage.viewedListings.write(['9']);
    expect(browserStorage.savedListings.read()).toEqual(['2', '1']);
    expect(browserStorage.wallet.read()).toEqual(wallet);
    expect(browserStorage.recentInventory.read()).toEqual([{ listingId: '1', viewedAt: 5 }]);
    expect(window.sessionStorage.getItem('viewedListings')).toBe('["9"]');
    expect(window.localStorage.getItem('viewedListings')).toBeNull();
  });

  it('is empty for anything that somebody else wrote', () => {
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
            // Reading it again changes nothing: only what passes is ever handed on.
            expect(item.parse(JSON.stringify(value))).toEqual(value);
          }
        },
      ),
    );
    expect(browserStorage.savedListings.parse('[1,"","a",{}]')).toEqual(['a']);
    expect(browserStorage.recentSearches.parse('[{"url":"/x"}]')).toEqual([]);
  });

  // rows: B3-PAY-01
  it('has a wallet whose monthly budget is a number, or none', () => {
    const wallet = { monthlyBudget: 600, downPayment: 0, termMonths: 72, aprPercent: 6.99, tradeInValue: 0 };
    expect(browserStorage.wallet.parse(JSON.stringify(wallet))).toEqual(wallet);
    for (const monthlyBudget of ['600', null, -1, undefined])
      expect(browserStorage.wallet.parse(JSON.stringify({ ...wallet, monthlyBudget }))).toBeNull();
  });

  it('is empty, and breaks nothing, where the browser refuses storage', () => {
    Storage.prototype.getItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    for (const item of all) expect(() => item.read()).not.toThrow();
    expect(() => browserStorage.savedListings.write(['1'])).not.toThrow();
    expect(browserStorage.savedListings.read()).toEqual([]);
  });

  it('has a key of its own for each value', () => {
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });
});
