import type { FuelGroup } from '@forecourt/upstream/codes';
import type { ListingType, StockListing } from '@forecourt/marketplace-api/stock';
import type { Random } from './random.ts';

export const MILES_PER_YEAR = 12_000;
const LOWEST_VALUE = 1_900;

/** Share of its value that a car retains per year. */
function yearlyRetention(makeCode: string, isLuxury: boolean, fuel: FuelGroup, isTruck: boolean): number {
  if (fuel === 'ELE' || fuel === 'HYD') return makeCode === 'TESLA' ? 0.855 : 0.83;
  if (HOLDS_VALUE.has(makeCode)) return 0.908;
  if (isLuxury) return 0.858;
  return isTruck ? 0.9 : 0.882;
}
const HOLDS_VALUE = new Set(['TOYOTA', 'LEXUS', 'HONDA', 'SUBARU', 'PORSCHE']);

export interface Worth {
  readonly makeCode: string;
  readonly isLuxury: boolean;
  readonly isTruck: boolean;
  readonly fuel: FuelGroup;
  readonly listingType: ListingType;
  /** List price when new, whole dollars. */
  readonly msrp: number;
  /** Years since it was new. */
  readonly age: number;
  readonly mileage: number;
}

/** Market value in dollars. */
function expectedValue(worth: Worth): number {
  if (worth.listingType === 'NEW') return worth.msrp * 0.97;
  const retention = yearlyRetention(worth.makeCode, worth.isLuxury, worth.fuel, worth.isTruck);
  const byAge = 0.9 * retention ** Math.max(0, worth.age - 0.4);
  const byMileage = Math.exp((worth.age * MILES_PER_YEAR - worth.mileage) / 210_000);
  const program = worth.listingType === 'CERTIFIED' ? 1.04 : worth.listingType === '3P_CERT' ? 1.02 : 1;
  return Math.max(LOWEST_VALUE, worth.msrp * byAge * Math.min(1.12, byMileage) * program);
}

const SPREAD: Readonly<Record<ListingType, number>> = {
  NEW: 0.035,
  USED: 0.075,
  CERTIFIED: 0.05,
  '3P_CERT': 0.06,
};
const ENDINGS = [0, 88, 90, 91, 95, 95, 98, 99];

export type Price = Pick<StockListing, 'salePrice' | 'dealIndicator'>;

/** An asking price around the expected value, and how good a deal that is. */
export function askingPrice(random: Random, worth: Worth): Price {
  const expected = expectedValue(worth);
  const asking = expected * Math.exp(random.normal() * SPREAD[worth.listingType]);
  const salePrice = Math.max(995, Math.floor(asking / 100) * 100 + random.pick(ENDINGS));
  const isRated = random.chance(worth.listingType === 'NEW' ? 0.55 : 0.92);
  return { salePrice, ...(isRated && { dealIndicator: dealOf(salePrice / expected) }) };
}

/** Price against expected value: from 8 % below it is a great deal, from 3 % a good one. */
function dealOf(ratio: number): NonNullable<StockListing['dealIndicator']> {
  if (ratio < 0.92) return 'Great';
  if (ratio < 0.97) return 'Good';
  return ratio < 1.06 ? 'Fair' : 'High';
}
