import type { CatalogMake, CatalogModel, CatalogTrim, Variant } from '@forecourt/marketplace-api/catalog';
import { choiceOf, type Random } from './random.ts';

/** First model year, share of the base trims that have it, and how much the richest ones add. */
type Usual = readonly [from: number, base: number, rich: number, only?: (variant: Variant) => boolean];

const isLarge = (variant: Variant): boolean => variant.seats >= 6 && variant.bodyStyle !== 'TRUCKS';
const isTruck = (variant: Variant): boolean => variant.bodyStyle === 'TRUCKS';
const hasTailgate = (variant: Variant): boolean => ['SUVCROSS', 'VANMV', 'SUV'].includes(variant.bodyStyle);
const hasRoof = (variant: Variant): boolean =>
  variant.bodyStyle !== 'CONVERT' && variant.bodyStyle !== 'VANS';
const hasRearSeats = (variant: Variant): boolean => variant.seats >= 5;

const FEATURES: Readonly<Record<string, Usual>> = {
  HEATEDSEATS: [2008, 0.2, 0.75],
  COOLEDSEATS: [2013, 0, 0.55],
  LEATHER: [2000, 0.08, 0.85],
  HEATEDWHEEL: [2014, 0.06, 0.6],
  DUALCLIMATE: [2005, 0.35, 0.6],
  POWERSEAT: [2000, 0.35, 0.6],
  MEMORYSEAT: [2008, 0, 0.6],
  KEYLESSENTRY: [2000, 0.93, 0.07],
  PUSHSTART: [2012, 0.5, 0.5],
  REMOTESTART: [2012, 0.2, 0.45],
  BACKUPCAMERA: [2012, 0.5, 0.5],
  BLINDSPOT: [2014, 0.3, 0.6],
  AEB: [2018, 0.7, 0.3],
  LANEASSIST: [2017, 0.6, 0.35],
  ADAPTIVECRUISE: [2017, 0.4, 0.5],
  REARCROSS: [2016, 0.3, 0.6],
  PARKSENSORS: [2010, 0.15, 0.65],
  CAMERA360: [2017, 0.03, 0.55],
  CARPLAY: [2017, 0.75, 0.25],
  ANDROIDAUTO: [2017, 0.75, 0.25],
  NAVIGATION: [2008, 0.1, 0.7],
  BLUETOOTH: [2010, 0.9, 0.1],
  PREMIUMAUDIO: [2004, 0.05, 0.7],
  WIRELESSCHARGE: [2018, 0.1, 0.6],
  HEADUP: [2018, 0, 0.35],
  WIFI: [2016, 0.3, 0.4],
  REARENTERTAINMENT: [2008, 0, 0.18, isLarge],
  SATRADIO: [2008, 0.45, 0.45],
  SUNROOF: [2000, 0.12, 0.55, hasRoof],
  PANOROOF: [2014, 0.03, 0.45, hasRoof],
  ALLOYWHEELS: [2000, 0.6, 0.4],
  LEDLIGHTS: [2016, 0.5, 0.5],
  ROOFRACK: [2000, 0.4, 0.3, hasTailgate],
  POWERLIFTGATE: [2010, 0.15, 0.75, hasTailgate],
  RUNNINGBOARDS: [2000, 0.2, 0.4, isTruck],
  THIRDROW: [2000, 1, 0, isLarge],
  CAPTAINSEATS: [2010, 0.2, 0.5, isLarge],
  FOLDFLATSEATS: [2000, 0.6, 0.2, hasRearSeats],
  SPORTSEATS: [2005, 0.08, 0.3],
  TOWHITCH: [2000, 0.35, 0.4, isTruck],
  TRAILERBRAKE: [2010, 0.15, 0.35, isTruck],
  BEDLINER: [2000, 0.35, 0.2, isTruck],
};
const FEATURE_ENTRIES = Object.entries(FEATURES);

/** How well a trim is equipped, by its place between the cheapest and the most expensive trim of its model, 0 to 1. */
export function richnessOf(make: CatalogMake, { trims }: CatalogModel, trim: CatalogTrim): number {
  let low = Infinity;
  let high = 0;
  for (const { msrp } of trims) {
    low = Math.min(low, msrp);
    high = Math.max(high, msrp);
  }
  const ownShare = high === low ? 0.5 : (trim.msrp - low) / (high - low);
  return make.isLuxury ? 0.45 + ownShare * 0.55 : ownShare * 0.85;
}

/** @param richness As `richnessOf` gives it. */
export function chooseFeatures(random: Random, variant: Variant, year: number, richness: number): string[] {
  const features: string[] = [];
  for (const [code, [from, base, rich, only]] of FEATURE_ENTRIES) {
    const draw = random.next();
    if (year >= from && (!only || only(variant)) && draw < base + rich * richness) features.push(code);
  }
  return features;
}

/** Share of the cars of a variant, year and richness that have a feature; 0 for an unknown one. */
export function featureShare(code: string, variant: Variant, year: number, richness: number): number {
  const [from, base, rich, only] = FEATURES[code] ?? [Infinity, 0, 0];
  return year >= from && (!only || only(variant)) ? Math.min(1, base + rich * richness) : 0;
}

const PACKAGE_SHARE = 0.16;
const CAR_PACKAGES = choiceOf({
  TECHNOLOGY: 5,
  PREMIUM: 4,
  SPORT: 3,
  COLDWEATHER: 3,
  DRIVERASSIST: 3,
  APPEARANCE: 2,
  CONVENIENCE: 4,
});
const TRUCK_PACKAGES = choiceOf({ TOW: 8, OFFROAD: 5, CONVENIENCE: 3, APPEARANCE: 3, TECHNOLOGY: 2 });
const VAN_PACKAGES = choiceOf({ CARGO: 5, CONVENIENCE: 2, TOW: 1 });

export function choosePackages(random: Random, variant: Variant): string[] {
  if (!random.chance(PACKAGE_SHARE)) return [];
  if (isTruck(variant)) return [TRUCK_PACKAGES.draw(random)];
  return [(variant.bodyStyle === 'VANS' ? VAN_PACKAGES : CAR_PACKAGES).draw(random)];
}

export const EXTERIOR_COLORS = choiceOf({
  WHITE: 245,
  BLACK: 215,
  GRAY: 195,
  SILVER: 105,
  BLUE: 100,
  RED: 80,
  GREEN: 17,
  BROWN: 13,
  BEIGE: 11,
  ORANGE: 9,
  YELLOW: 4,
  GOLD: 4,
  PURPLE: 2,
});
export const INTERIOR_COLORS = choiceOf({
  BLACK: 60,
  GRAY: 18,
  BEIGE: 8,
  TAN: 5,
  BROWN: 4,
  RED: 2,
  WHITE: 2,
  BLUE: 1,
});

/** Entries of a used vehicle's history report. */
export function chooseHistory(random: Random, age: number): string[] {
  return [
    ...(random.chance(0.955) ? ['CLEAN_TITLE'] : []),
    ...(random.chance(Math.max(0.45, 0.93 - age * 0.04)) ? ['NO_ACCIDENTS'] : []),
    ...(random.chance(Math.max(0.15, 0.88 - age * 0.08)) ? ['ONE_OWNER'] : []),
    ...(random.chance(0.78) ? ['PERSONAL_USE'] : []),
  ];
}

const CAB_WEIGHTS: Readonly<Record<string, number>> = { REGCAB: 1, EXTCAB: 2, CREWCAB: 7, CREWMAX: 4 };

/** A matching cab and bed of a truck; empty for other bodies. */
export function chooseTruckBody(
  random: Random,
  variant: Variant,
): { bodySubtype?: string; truckBedLength?: string; doors?: number; seats?: number } {
  const { cabs, beds } = variant;
  if (cabs.length === 0) return {};
  const total = cabs.reduce((sum, cab) => sum + (CAB_WEIGHTS[cab] ?? 1), 0);
  let left = random.next() * total;
  const cab = cabs.find((candidate) => (left -= CAB_WEIGHTS[candidate] ?? 1) < 0) ?? cabs[0];
  const fittingBeds = cab === 'REGCAB' ? beds.filter((bed) => bed !== 'SHORT') : beds.slice(0, 2);
  const bed = fittingBeds.length > 0 ? random.pick(fittingBeds) : beds[0];
  return {
    ...(cab && { bodySubtype: cab }),
    ...(bed && { truckBedLength: bed }),
    ...(cab === 'REGCAB' ? { doors: 2, seats: 3 } : { doors: 4, seats: variant.seats }),
  };
}
