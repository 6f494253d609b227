import { describe, expect, it } from '@jest/globals';
import { buildListing } from '@forecourt/search/testing';
import { remarks, urgencyText } from './CardHighlights.tsx';

describe('remarks', () => {
  const urgent = (urgencyDriverType: string, urgencyDriverValue: number) =>
    buildListing({ vehicleHighlight: { isVehicleHighlight: true, urgencyDriverType, urgencyDriverValue } });

  // rows: B3-LISTING-14
  it('returns why a highlighted listing is urgent, or nothing for unknown reasons', () => {
    expect(urgencyText(urgent('PRICE_DROP', 1500))).toBe('Price dropped $1,500');
    expect(urgencyText(urgent('HIGH_INTEREST', 24))).toBe('24 views this week');
    expect(urgencyText(urgent('NEW_LISTING', 1))).toBe('Listed 1 day ago');
    expect(urgencyText(urgent('MOON_PHASE', 1))).toBeUndefined();
    expect(urgencyText(buildListing())).toBeUndefined();
  });

  // rows: A3-LISTING-06, A3-LISTING-07
  it.each([
    [{ isHot: true }, ['In demand']],
    [{ hasSpecialOffer: true }, ['Special offer']],
    [{ isHot: true, hasSpecialOffer: true }, ['In demand', 'Special offer']],
    [{}, []],
  ])('names demand and offer of a listing with %j', (fields, texts) => {
    expect(remarks(buildListing(fields))).toEqual(texts);
  });
});
