import type { Trim } from '@forecourt/shared-contracts/entities';
import type { TrimSpec } from '../callTypes.ts';
import { COMPARE_TRIMS_FEATURES } from '../constants.ts';
import { TRIM_SPEC_IDS, TRIM_SPECS } from './trimSpecs.ts';
import { formatDollars } from '@forecourt/shared-contracts/ui';
import { FUEL_GROUPS, type FuelGroup } from '@forecourt/shared-contracts/entities/codes';
import type { FilterValues } from '@forecourt/shared-contracts/criteria';

/** What a cell shows where nothing is known (B3-SPEC-03, B8-ERR-16). */
export const UNKNOWN = 'Information Unavailable';

/** Specs of a trim by its vehicleId; a trim whose specs are still on their way is not in it. */
export type SpecsByTrim = ReadonlyMap<string, readonly TrimSpec[]>;

export type CellKind = 'text' | 'standard' | 'optional' | 'unavailable' | 'unknown' | 'loading';

export interface TrimCell {
  readonly kind: CellKind;
  readonly text: string;
}

export interface TrimRow {
  readonly kind: 'fact' | 'feature';
  readonly label: string;
  /** One a trim, in the order of the trims. */
  readonly cells: readonly TrimCell[];
  readonly isSame: boolean;
}

const known = (text: string | undefined): TrimCell =>
  text === undefined ? { kind: 'unknown', text: UNKNOWN } : { kind: 'text', text };

const economy = (city: number | undefined, highway: number | undefined, unit: string) =>
  city === undefined || highway === undefined ? undefined : `${city} / ${highway} ${unit}`;

/** Price and economy first: what most of those who compare look for. */
const FACTS: readonly (readonly [label: string, text: (trim: Trim) => string | undefined])[] = [
  ['Starting MSRP', ({ nationalMSRP }) => (nationalMSRP ? formatDollars(nationalMSRP) : undefined)],
  ['Body style', ({ bodyStyle }) => bodyStyle || undefined],
  [
    'City / highway',
    (trim) => economy(trim.epaMpgeCity, trim.epaMpgeHwy, 'MPGe') ?? economy(trim.epaCity, trim.epaHwy, 'mpg'),
  ],
];

const KINDS = { Standard: 'standard', Optional: 'optional', 'Not Available': 'unavailable' } as const;

/** A trim's value for a spec (B3-SPEC-01, B3-SPEC-02). */
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
 * Rows of the comparison: facts, and at most nine of the features (B9-TRIMS-01).
 * @param specs undefined where nobody asks for them: facts only
 * @param features spec ids in their order
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
      trims.map((trim) => known(text(trim))),
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

/** Fuels of the trims, in the display order of all fuels (B5-FUEL-01). */
export const fuelsOf = (trims: readonly Trim[]): readonly FuelGroup[] =>
  (Object.keys(FUEL_GROUPS) as FuelGroup[]).filter((fuel) =>
    trims.some(({ fuelTypeGroup }) => fuelTypeGroup === fuel),
  );

/** Where the comparison's fuel filter begins: at the search's fuel if it has exactly one (B4-MR-08). */
export function defaultFuel(filters: FilterValues, trims: readonly Trim[]): FuelGroup | undefined {
  const [only, ...others] = filters.fuelTypeGroup ?? [];
  return others.length === 0 ? fuelsOf(trims).find((fuel) => fuel === only) : undefined;
}
