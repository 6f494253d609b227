import { featureShare } from '../inventory/equipment.ts';
import type { ReferenceVehicle } from './vehicles.ts';
import type { TrimSpec } from '../http/callTypes.ts';

/** Feature codes behind the spec ids (B3-SPEC-04..12); the commonest of several decides. */
const FEATURES_OF: Readonly<Record<number, readonly string[]>> = {
  546: ['HEATEDSEATS'],
  561: ['LEATHER'],
  610: ['BACKUPCAMERA'],
  170: ['BLUETOOTH'],
  160: ['KEYLESSENTRY'],
  557: ['LANEASSIST'],
  236: ['NAVIGATION'],
  615: ['REMOTESTART'],
  578: ['SUNROOF', 'PANOROOF'],
};

/** Of the cars of a trim, from this share on a feature is standard, and below the other it cannot be had. */
const STANDARD_FROM = 0.7;
const AVAILABLE_FROM = 0.12;
/** Model year from which United States law wants a rearview camera. */
const CAMERA_IS_LAW_FROM = 2019;
const CAMERA = 610;
/** Until then nobody wrote down which old trims had what. */
const KNOWN_FROM = 2004;

/** Where a trim stands between the barest and the richest car of all, 0 to 1: what the inventory's equipment goes by. */
export function richnessOf({ make, model, trim }: ReferenceVehicle): number {
  const prices = model.trims.map(({ msrp }) => msrp);
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const own = high === low ? 0.5 : (trim.msrp - low) / (high - low);
  return make.isLuxury ? 0.45 + own * 0.55 : own * 0.85;
}

/** The share of a vehicle's kind that has a feature, 0 to 1. */
export const shareOf = (vehicle: ReferenceVehicle, feature: string): number =>
  featureShare(feature, vehicle.variant, vehicle.year, richnessOf(vehicle));

/**
 * Spec values of a vehicle (B3-SPEC-01): what most of its kind for sale have
 * is standard. What is not known is not listed.
 */
export function specsOf(vehicle: ReferenceVehicle): TrimSpec[] {
  if (vehicle.year < KNOWN_FROM) return [];
  return Object.entries(FEATURES_OF).map(([id, features]) => {
    const specId = Number(id);
    if (specId === CAMERA && vehicle.year >= CAMERA_IS_LAW_FROM) return { specId, value: 'Standard' };
    const share = Math.max(...features.map((feature) => shareOf(vehicle, feature)));
    const value =
      share >= STANDARD_FROM ? 'Standard' : share >= AVAILABLE_FROM ? 'Optional' : 'Not Available';
    return { specId, value };
  });
}
