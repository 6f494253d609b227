import type { FilterValues } from '@forecourt/search/criteria';
import { formatDollars } from '@forecourt/search/format';
import type { CallResponses } from '@forecourt/upstream/calls';
import { FUEL_GROUPS, type FuelGroup } from '@forecourt/upstream/codes';
import type { Trim } from '@forecourt/upstream/entities';

/** Maximum features in the compare-trims dialog. */
const COMPARE_TRIMS_FEATURES = 9;

export type TrimSpec = CallResponses['specs'][number];

/** Text of a cell without data. */
export const UNKNOWN = 'Information Unavailable';

/** Specs by vehicleId; a trim whose specs are loading is missing. */
export type SpecsByTrim = ReadonlyMap<string, readonly TrimSpec[]>;

type CellKind = 'text' | 'standard' | 'optional' | 'unavailable' | 'unknown' | 'loading';

export interface TrimCell {
  readonly kind: CellKind;
  readonly text: string;
}

export interface TrimRow {
  readonly kind: 'fact' | 'feature';
  readonly label: string;
  /** One per trim, in the order of the trims. */
  readonly cells: readonly TrimCell[];
  readonly isSame: boolean;
}

const textCell = (text: string | undefined): TrimCell =>
  text === undefined ? { kind: 'unknown', text: UNKNOWN } : { kind: 'text', text };

const economy = (city: number | undefined, highway: number | undefined, unit: string) =>
  city === undefined || highway === undefined ? undefined : `${city} / ${highway} ${unit}`;

/** Facts in order of interest to shoppers. */
const FACTS: readonly (readonly [label: string, text: (trim: Trim) => string | undefined])[] = [
  ['Starting MSRP', ({ nationalMSRP }) => (nationalMSRP ? formatDollars(nationalMSRP) : undefined)],
  ['Body style', ({ bodyStyle }) => bodyStyle || undefined],
  [
    'City / highway',
    (trim) => economy(trim.epaMpgeCity, trim.epaMpgeHwy, 'MPGe') ?? economy(trim.epaCity, trim.epaHwy, 'mpg'),
  ],
];

const KINDS = { Standard: 'standard', Optional: 'optional', 'Not Available': 'unavailable' } as const;

/** A trim's value for a spec. */
function specCell(specId: number, specs: readonly TrimSpec[] | undefined): TrimCell {
  if (!specs) return { kind: 'loading', text: 'Loading' };
  const value = specs.find((spec) => spec.specId === specId)?.value;
  return value === undefined ? { kind: 'unknown', text: UNKNOWN } : { kind: KINDS[value], text: value };
}

const toRow = (kind: TrimRow['kind'], label: string, cells: readonly TrimCell[]): TrimRow => ({
  kind,
  label,
  cells,
  isSame: cells.every(({ text }) => text === cells[0]?.text),
});

/**
 * Rows of the comparison: facts, and at most nine of the features.
 * @param specs undefined for facts only
 * @param features spec ids in order
 */
export function trimRows(
  trims: readonly Trim[],
  specs: SpecsByTrim | undefined,
  features: readonly number[] = TRIM_SPEC_IDS,
): readonly TrimRow[] {
  const facts = FACTS.map(([label, text]) =>
    toRow(
      'fact',
      label,
      trims.map((trim) => textCell(text(trim))),
    ),
  );
  if (!specs) return facts;
  return [
    ...facts,
    ...features.slice(0, COMPARE_TRIMS_FEATURES).map((specId) =>
      toRow(
        'feature',
        (TRIM_SPECS as Readonly<Record<number, string>>)[specId] ?? `Feature ${specId}`,
        trims.map(({ vehicleId }) => specCell(specId, specs.get(vehicleId))),
      ),
    ),
  ];
}

/** Fuels of the trims, in display order. */
export const fuelsOf = (trims: readonly Trim[]): readonly FuelGroup[] =>
  (Object.keys(FUEL_GROUPS) as FuelGroup[]).filter((fuel) =>
    trims.some(({ fuelTypeGroup }) => fuelTypeGroup === fuel),
  );

/** Default of the comparison's fuel filter: the search's fuel if it has exactly one. */
export function defaultFuel(filters: FilterValues, trims: readonly Trim[]): FuelGroup | undefined {
  const [only, ...otherFuels] = filters.fuelTypeGroup ?? [];
  return otherFuels.length === 0 ? fuelsOf(trims).find((fuel) => fuel === only) : undefined;
}

/** Equipment in the trim comparison, by specId, in display order. */
export const TRIM_SPECS = {
  546: 'Heated Seats',
  561: 'Leather Seats',
  610: 'Rearview Camera',
  170: 'Bluetooth',
  160: 'Alarm',
  557: 'Lane Departure Warning',
  236: 'Navigation',
  615: 'Remote Start',
  578: 'Sunroof',
} as const satisfies Record<number, string>;

export type TrimSpecId = keyof typeof TRIM_SPECS;

/** In table order: a plain object would sort its numeric keys. */
export const TRIM_SPEC_IDS = [
  546, 561, 610, 170, 160, 557, 236, 615, 578,
] as const satisfies readonly TrimSpecId[];
