import { nameKey } from '../../domain/catalog.ts';
import { OTHER_VEHICLES, type OtherVehicle } from './otherVehicles.data.ts';

export const OTHER_VEHICLE_KINDS = Object.keys(OTHER_VEHICLES) as [OtherVehicle, ...OtherVehicle[]];

export const OTHER_VEHICLE_NAMES: Readonly<Record<OtherVehicle, string>> = {
  motorcycle: 'a motorcycle',
  trailer: 'a trailer',
  boat: 'a boat',
  rv: 'a recreational vehicle',
  powersports: 'a powersports vehicle',
  heavyTruck: 'a heavy truck or machine',
};

const KINDS = OTHER_VEHICLE_KINDS.map((kind) => ({
  kind,
  words: new RegExp(`^(?:${OTHER_VEHICLES[kind].words})$`, 'i'),
  makes: new Set(OTHER_VEHICLES[kind].makes.split('|').map(nameKey)),
}));

/** The kind of a vehicle that is no car by its make, or by the word of its type or body. */
export function otherVehicleOf(
  makeKey: string,
  words: readonly (string | undefined)[],
): OtherVehicle | undefined {
  return KINDS.find(
    (kind) =>
      kind.makes.has(makeKey) || words.some((word) => word !== undefined && kind.words.test(word.trim())),
  )?.kind;
}
