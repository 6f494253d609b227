/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { prepareViewport } from '../testing/viewport.ts';
import { alertCandidates, isFetchDue, reasonFor, reasonText, type ViewedVehicle } from './findVehicle.ts';

const sendBeacon = jest.fn((_path: string, _body: Blob) => true);

beforeEach(() => {
  prepareViewport();
  sendBeacon.mockClear();
  Object.assign(navigator, { sendBeacon });
});

const viewedVehicle = (id: string, viewedAt: number): ViewedVehicle => ({
  listingId: id,
  vin: `VIN${id}`,
  viewedAt,
  emailSent: false,
});

describe('isFetchDue', () => {
  // rows: A4-FLOW-06
  it('fetches the history again from 120,000 ms on, but not at 119,999 ms', () => {
    expect(isFetchDue(undefined, 5)).toBe(true);
    expect(isFetchDue(1_000, 1_000 + 119_999)).toBe(false);
    expect(isFetchDue(1_000, 1_000 + 120_000)).toBe(true);
  });
});

describe('alertCandidates', () => {
  // rows: B9-STILL-01
  it('returns up to ten recently viewed vehicles, newest first', () => {
    const history = Array.from({ length: 15 }, (_, at) => viewedVehicle(String(at), at));
    const ids = alertCandidates(history, { viewed: ['14'], dismissed: ['13'] }).map(
      ({ listingId }) => listingId,
    );
    expect(ids).toEqual(['12', '11', '10', '9', '8', '7', '6', '5']);
  });
});

describe('reasonFor', () => {
  const great = { dealIndicator: 'Great' as const };
  // rows: B4-ALERT-04
  it('returns the reduced price before any other reason', () => {
    expect(reasonFor({ isReducedPrice: true, pricingDetail: great }, 10)).toBe('reducedPrice');
  });
  // rows: B4-ALERT-05, B9-STILL-02
  it('returns the viewers from the fourth view on', () => {
    expect(reasonFor({ isReducedPrice: false, pricingDetail: great }, 4)).toBe('viewers');
    expect(reasonFor({ isReducedPrice: false, pricingDetail: {} }, 3)).toBe('interested');
  });
  // rows: B4-ALERT-06
  it('returns a Great or Good deal', () => {
    const reasons = (['Great', 'Good', 'Fair', 'High'] as const).map((dealIndicator) =>
      reasonFor({ isReducedPrice: false, pricingDetail: { dealIndicator } }, 3),
    );
    expect(reasons).toEqual(['deal', 'deal', 'interested', 'interested']);
  });
  // rows: B4-ALERT-07
  it('returns plain interest otherwise', () => {
    expect(reasonFor({ isReducedPrice: false, pricingDetail: {} }, 0)).toBe('interested');
  });
});

describe('reasonText', () => {
  // rows: B4-ALERT-04, B4-ALERT-05, B4-ALERT-06, B4-ALERT-07
  it('states the reason with the number of viewers or the deal', () => {
    const reasons = ['reducedPrice', 'viewers', 'deal', 'interested'] as const;
    const listing = { pricingDetail: { dealIndicator: 'Good' as const }, isReducedPrice: false };
    expect(reasons.map((reason) => reasonText(reason, listing, 1_234))).toEqual([
      'Its price was reduced',
      '1,234 people looked at it in the last 7 days',
      'Good price for this vehicle',
      'It is still for sale',
    ]);
  });
});
