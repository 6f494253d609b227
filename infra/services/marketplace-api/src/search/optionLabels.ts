import { FUEL_GROUPS, BODY_STYLES, LISTING_TYPES } from '@forecourt/shared-contracts/entities/codes';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';
import { createLabels } from '@forecourt/shared-contracts/catalog';
import * as codes from '../domain/labels.data.ts';

const colors = Object.fromEntries(Object.entries(codes.COLORS).map(([code, { label }]) => [code, label]));

/** Labels of this service's own codes, in display order. */
const TABLES: Partial<Record<FilterParam, codes.CodeTable>> = {
  driveGroup: codes.DRIVES,
  transmissionCode: codes.TRANSMISSIONS,
  engineCode: codes.CYLINDERS,
  doorCode: codes.DOORS,
  bodyStyleSubtypeCode: codes.TRUCK_CABS,
  truckBedLength: codes.TRUCK_BEDS,
  suvSubtypeCode: codes.SUV_SUBTYPES,
  vanSubtypeCode: codes.VAN_SUBTYPES,
  sedanSubtypeCode: codes.SEDAN_SUBTYPES,
  extColorSimple: colors,
  intColorSimple: codes.INTERIOR_COLORS,
  vehicleHistoryType: codes.HISTORY_TYPES,
  homeServices: codes.HOME_SERVICES,
  featureCode: codes.FEATURES,
  packages: codes.PACKAGES,
};

const ORDERS: Partial<Record<FilterParam, readonly string[]>> = {
  fuelTypeGroup: Object.keys(FUEL_GROUPS),
  vehicleStyleCode: Object.keys(BODY_STYLES),
  listingType: LISTING_TYPES,
  ...Object.fromEntries(Object.entries(TABLES).map(([param, table]) => [param, Object.keys(table)])),
};

const sharedLabel = createLabels({});

/** The label of a filter's code; the code itself if it has none. */
export function optionLabel(param: FilterParam, value: string): string {
  const table = TABLES[param];
  return table && Object.hasOwn(table, value) ? table[value]! : sharedLabel(param, value);
}

/** Shared, because creating one takes longer than a hundred comparisons. */
const collator = new Intl.Collator('en', { numeric: true });

/** Order of a filter's options: the table's, then by label with numbers as numbers. */
export function compareOptions(param: FilterParam) {
  const order = ORDERS[param] ?? [];
  const rank = (value: string) => {
    const position = order.indexOf(value);
    return position < 0 ? order.length : position;
  };
  return (a: { value: string; label: string }, b: { value: string; label: string }): number =>
    rank(a.value) - rank(b.value) || collator.compare(a.label, b.label);
}

const groupOf = new Map(
  Object.entries(codes.FEATURE_GROUPS).flatMap(([group, table]) =>
    Object.keys(table).map((code) => [code, group] as const),
  ),
);

/** Group of a feature (A3-FILTER-27). */
export const featureGroup = (code: string): string | undefined => groupOf.get(code);
