import { createLabels } from '@forecourt/search/catalog';
import type { FilterParam } from '@forecourt/search/criteria';
import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPES } from '@forecourt/upstream/codes';
import { FEATURE_GROUPS, FEATURES } from '@forecourt/upstream/features';

/**
 * Labels of a listing's codes, in display order. Those of fuel groups, body
 * styles, conditions and seller types are in shared-contracts.
 */
export type CodeTable = Readonly<Record<string, string>>;

export const DRIVES: CodeTable = {
  AWD4WD: 'AWD/4WD',
  FWD: 'Front Wheel Drive',
  RWD: 'Rear Wheel Drive',
};

export const TRANSMISSIONS: CodeTable = { AUT: 'Automatic', MAN: 'Manual' };

export const CYLINDERS: CodeTable = {
  '3CLDR': '3-Cylinder',
  '4CLDR': '4-Cylinder',
  '5CLDR': '5-Cylinder',
  '6CLDR': '6-Cylinder',
  '8CLDR': '8-Cylinder',
  '10CLDR': '10-Cylinder',
  '12CLDR': '12-Cylinder',
};

export const DOORS: CodeTable = { '2': '2 Door', '3': '3 Door', '4': '4 Door' };

const SEATS: CodeTable = Object.fromEntries(
  [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15].map((count) => [String(count), `${count} seats`]),
);

export const TRUCK_CABS: CodeTable = {
  REGCAB: 'Regular Cab',
  EXTCAB: 'Extended Cab',
  CREWCAB: 'Crew Cab',
  CREWMAX: 'Extended Crew Cab',
};

export const TRUCK_BEDS: CodeTable = {
  SHORT: 'Short Bed (under 6 ft)',
  STANDARD: 'Standard Bed (6 to 7 ft)',
  LONG: 'Long Bed (8 ft)',
};

export const SUV_SUBTYPES: CodeTable = {
  SUBCOMPACTSUV: 'Subcompact',
  COMPACTSUV: 'Compact',
  MIDSIZESUV: 'Midsize',
  FULLSIZESUV: 'Full-size',
  COMMERCIALSUV: 'Commercial',
};

export const VAN_SUBTYPES: CodeTable = {
  MINIVAN: 'Minivan',
  PASSENGERVAN: 'Passenger Van',
  CARGOVAN: 'Cargo Van',
  CUTAWAYVAN: 'Cutaway / Chassis',
};

export const SEDAN_SUBTYPES: CodeTable = {
  COMPACTSEDAN: 'Compact',
  MIDSIZESEDAN: 'Midsize',
  FULLSIZESEDAN: 'Full-size',
  LUXURYSEDAN: 'Luxury',
};

/** Label of a color, and the hex value of its swatch and of drawn vehicles. */
export const COLORS: Readonly<Record<string, { readonly label: string; readonly hex: string }>> = {
  BLACK: { label: 'Black', hex: '#1d1f23' },
  WHITE: { label: 'White', hex: '#f2f3f1' },
  GRAY: { label: 'Gray', hex: '#6d737a' },
  SILVER: { label: 'Silver', hex: '#c3c8cc' },
  BLUE: { label: 'Blue', hex: '#2456a0' },
  RED: { label: 'Red', hex: '#b3202b' },
  GREEN: { label: 'Green', hex: '#3c5a46' },
  BROWN: { label: 'Brown', hex: '#5c4433' },
  BEIGE: { label: 'Beige', hex: '#cdbfa5' },
  ORANGE: { label: 'Orange', hex: '#d1602a' },
  YELLOW: { label: 'Yellow', hex: '#e3b92c' },
  GOLD: { label: 'Gold', hex: '#a98a4f' },
  PURPLE: { label: 'Purple', hex: '#54407a' },
};

export const INTERIOR_COLORS: CodeTable = {
  BLACK: 'Black',
  GRAY: 'Gray',
  BEIGE: 'Beige',
  BROWN: 'Brown',
  TAN: 'Tan',
  RED: 'Red',
  WHITE: 'White',
  BLUE: 'Blue',
};

export const HISTORY_TYPES: CodeTable = {
  CLEAN_TITLE: 'Clean Title',
  NO_ACCIDENTS: 'No Accidents',
  ONE_OWNER: 'One Owner',
  PERSONAL_USE: 'Personal Use',
};

export const HOME_SERVICES: CodeTable = {
  BUY_ONLINE: 'Buy Online',
  HOME_DELIVERY: 'Home Delivery',
  TEST_DRIVE: 'Test Drive at Home',
  VIRTUAL_WALKAROUND: 'Virtual Walkaround',
};

export const PACKAGES: CodeTable = {
  TOW: 'Tow Package',
  TECHNOLOGY: 'Technology Package',
  PREMIUM: 'Premium Package',
  SPORT: 'Sport Package',
  COLDWEATHER: 'Cold Weather Package',
  DRIVERASSIST: 'Driver Assistance Package',
  OFFROAD: 'Off-Road Package',
  APPEARANCE: 'Appearance Package',
  CONVENIENCE: 'Convenience Package',
  CARGO: 'Cargo Package',
};

const colors = Object.fromEntries(Object.entries(COLORS).map(([code, { label }]) => [code, label]));

/** Labels of this service's own codes, in display order. */
const TABLES: Partial<Record<FilterParam, CodeTable>> = {
  driveGroup: DRIVES,
  transmissionCode: TRANSMISSIONS,
  engineCode: CYLINDERS,
  doorCode: DOORS,
  seatCount: SEATS,
  bodyStyleSubtypeCode: TRUCK_CABS,
  truckBedLength: TRUCK_BEDS,
  suvSubtypeCode: SUV_SUBTYPES,
  vanSubtypeCode: VAN_SUBTYPES,
  sedanSubtypeCode: SEDAN_SUBTYPES,
  extColorSimple: colors,
  intColorSimple: INTERIOR_COLORS,
  vehicleHistoryType: HISTORY_TYPES,
  homeServices: HOME_SERVICES,
  featureCode: FEATURES,
  packages: PACKAGES,
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
    rank(a.value) - rank(b.value) || collator.compare(a.label, b.label) || collator.compare(a.value, b.value);
}

const groupOf = new Map(
  Object.entries(FEATURE_GROUPS).flatMap(([group, table]) =>
    Object.keys(table).map((code) => [code, group] as const),
  ),
);

/** Group of a feature. */
export const featureGroup = (code: string): string | undefined => groupOf.get(code);
