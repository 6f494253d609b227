import type { Filter } from '@forecourt/shared-contracts/entities';
import { FUEL_GROUPS } from '@forecourt/shared-contracts/entities/codes';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';
import type { FilterSection, LabelOf } from '@forecourt/shared-contracts/catalog';

/** One choice. Whether it is chosen the criteria say, not the last answer: see `useChoice`. */
export interface PanelOption {
  readonly label: string;
  readonly value: string;
  readonly count?: number;
  /** Finds nothing: nobody can choose it, only take it out. */
  readonly isOff: boolean;
  readonly moreInfo?: string;
  readonly group?: string;
}

type RawOption = Omit<Filter['options'][number], 'selected' | 'disabled'> & { readonly disabled?: boolean };

const FUEL_ORDER = Object.keys(FUEL_GROUPS);

/** Known fuels in the spec's order, unknown ones behind them as they came (B5-FUEL-01, AMB-077). */
function inFuelOrder<Option extends { readonly value: string }>(
  options: readonly Option[],
): readonly Option[] {
  const place = ({ value }: Option) => {
    const at = FUEL_ORDER.indexOf(value);
    return at < 0 ? FUEL_ORDER.length : at;
  };
  return [...options].sort((left, right) => place(left) - place(right));
}

/** The catalogue's fixed options with the answer's counts, or the answer's own. */
function rawOptions(section: FilterSection, filter: Filter | undefined): readonly RawOption[] {
  if (!section.options) return filter?.options ?? [];
  return section.options.map((fixed) => ({
    ...filter?.options.find(({ value }) => value === fixed.value),
    ...fixed,
  }));
}

/**
 * A section's options in the answer's order, which no choice changes; values
 * that are chosen but unknown to the answer stand at the end, so that they can
 * be taken out. An option without results stays in place.
 */
export function panelOptions(
  section: FilterSection,
  param: FilterParam,
  filter: Filter | undefined,
  chosen: readonly string[],
  labelOf: LabelOf,
): readonly PanelOption[] {
  const raw = rawOptions(section, filter);
  const listed = section.name === 'fuelTypeGroup' ? inFuelOrder(raw) : raw;
  const known = new Set(listed.map(({ value }) => value));
  const unlisted = chosen
    .filter((value) => !known.has(value))
    .map((value): RawOption => ({ value, label: labelOf(param, value) }));
  return [...listed, ...unlisted].map(({ label, value, count, disabled, moreInfo, group }) => ({
    label,
    value,
    isOff: disabled === true || count === 0,
    ...(count !== undefined && { count }),
    ...(moreInfo !== undefined && { moreInfo }),
    ...(group !== undefined && { group }),
  }));
}
