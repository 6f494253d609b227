import {
  DEFAULT_SEARCH_RADIUS,
  MAX_SEARCH_RADIUS,
  SEARCH_RADIUS_OPTIONS,
} from '@forecourt/shared-contracts/criteria';
import { placeText } from '@forecourt/shared-contracts/catalog';
import { type SearchCriteria, valuesOf } from '@forecourt/shared-contracts/criteria';
import type { Filter } from '@forecourt/shared-contracts/entities';

/** A ZIP and, when the look-up knows it, its city. */
export interface LookedUpPlace {
  readonly zip: string;
  readonly city?: string;
  readonly state?: string;
}

/** The ZIP around which is searched: the search's own, else the visitor's, if no other place is named (AMB-031). */
export function zipOf(criteria: SearchCriteria, visitorZip: string | null): string | undefined {
  const [own] = valuesOf(criteria, 'zip');
  if (own !== undefined) return own;
  const namesPlace = valuesOf(criteria, 'city').length > 0 || valuesOf(criteria, 'state').length > 0;
  return namesPlace ? undefined : (visitorZip ?? undefined);
}

/** Miles as text; '0' = the whole country. */
export const radiusOf = (criteria: SearchCriteria): string =>
  valuesOf(criteria, 'searchRadius')[0] ?? String(DEFAULT_SEARCH_RADIUS);

/** 'Chicago, IL · 50 miles', 'Chicago, IL · Any distance', 'Nationwide'. */
export function locationText(
  criteria: SearchCriteria,
  zip: string | undefined,
  place: LookedUpPlace | null,
): string {
  const { city, state } = place?.zip === zip ? (place ?? {}) : {};
  const lookedUp = city !== undefined && state !== undefined ? { city, state } : undefined;
  const filters = zip === undefined ? criteria.filters : { ...criteria.filters, zip: [zip] };
  const where = placeText(filters, lookedUp);
  if (where === undefined) return 'Nationwide';
  // Only a ZIP is a centre; a city or state is searched as a whole.
  if (zip === undefined) return where;
  const radius = radiusOf(criteria);
  return `${where} · ${radius === '0' ? 'Any distance' : `${radius} miles`}`;
}

export interface RadiusOption {
  /** Miles; 0 = nationwide. */
  readonly value: string;
  readonly label: string;
  readonly count?: number;
  readonly isDisabled: boolean;
}

/** '50' → '50 miles', '0' → 'Any'. */
export const radiusLabel = (value: string): string => (value === '0' ? 'Any' : `${value} miles`);

/** Distances offered where nothing is counted, as in the location editor. */
const RADIUS_CHOICES: readonly RadiusOption[] = SEARCH_RADIUS_OPTIONS.map((miles) => ({
  value: String(miles),
  label: radiusLabel(String(miles)),
  isDisabled: false,
}));

/**
 * Distances without a place to measure from: the whole country, until one is
 * named. Nothing is sent for it, so that a ZIP typed later has the default distance.
 */
export const UNCENTRED_CHOICES: readonly RadiusOption[] = [
  { value: '', label: radiusLabel('0'), isDisabled: false },
  ...RADIUS_CHOICES.filter(({ value }) => value !== '0'),
];

/** The whole country is never without a way to choose it (A5-RULE-05). */
const isAny = (option: { readonly value: string; readonly label: string }) =>
  Number(option.value) === 0 || /\bany\b/i.test(option.label);

/** A distance from the URL that nobody offers stands at the end, so that the control tells the truth. */
const withChosen = (options: readonly RadiusOption[], chosen: string | undefined): readonly RadiusOption[] =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: radiusLabel(chosen), isDisabled: false }];

/**
 * The answer's distances: one without results or without a count is disabled,
 * 'Any' never; none is larger than the maximum (A5-RULE-04, A5-RULE-05,
 * A9-LIMIT-05). Without an answer: all distances.
 */
export function radiusOptions(filter: Filter | undefined, chosen?: string): readonly RadiusOption[] {
  if (!filter || filter.options.length === 0) return withChosen(RADIUS_CHOICES, chosen);
  const offered = filter.options
    .filter(({ value }) => !(Number(value) > MAX_SEARCH_RADIUS))
    .map(({ value, label, count }) => ({
      value,
      label,
      isDisabled: !isAny({ value, label }) && !count,
      ...(count !== undefined && { count }),
    }));
  return withChosen(offered, chosen);
}
