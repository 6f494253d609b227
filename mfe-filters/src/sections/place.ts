import { placeText } from '@forecourt/search/catalog';
import {
  DEFAULT_SEARCH_RADIUS,
  MAX_SEARCH_RADIUS,
  SEARCH_RADIUS_OPTIONS,
  type SearchCriteria,
  valuesOf,
} from '@forecourt/search/criteria';
import type { Filter } from '@forecourt/upstream/entities';

/** A ZIP code, with its city if the lookup found one. */
export interface LookedUpPlace {
  readonly zip: string;
  readonly city?: string;
  readonly state?: string;
}

/** The ZIP code at the center of the search: the search's own, otherwise the visitor's unless a city or state is set. */
export function zipOf(criteria: SearchCriteria, visitorZip: string | null): string | undefined {
  const [own] = valuesOf(criteria, 'zip');
  if (own !== undefined) return own;
  const hasOtherPlace = valuesOf(criteria, 'city').length > 0 || valuesOf(criteria, 'state').length > 0;
  return hasOtherPlace ? undefined : (visitorZip ?? undefined);
}

/** Miles as text; '0' is nationwide, also where a map area takes the place of the default radius. */
export const radiusOf = (criteria: SearchCriteria): string =>
  valuesOf(criteria, 'searchRadius')[0] ??
  (valuesOf(criteria, 'area').length > 0 ? '0' : String(DEFAULT_SEARCH_RADIUS));

/** Where the search looks: 'Chicago, IL' and '50 miles', or one of 'Map area', 'Nationwide' and a state. */
export function locationTexts(
  criteria: SearchCriteria,
  zip: string | undefined,
  place: LookedUpPlace | null,
): readonly [place: string, radius?: string] {
  if (valuesOf(criteria, 'area').length > 0 && valuesOf(criteria, 'searchRadius').length === 0)
    return ['Map area'];
  const { city, state } = place?.zip === zip ? (place ?? {}) : {};
  const lookedUp = city !== undefined && state !== undefined ? { city, state } : undefined;
  const filters = zip === undefined ? criteria.filters : { ...criteria.filters, zip: [zip] };
  const where = placeText(filters, lookedUp);
  if (where === undefined) return ['Nationwide'];
  // Only a ZIP code has a radius; a city or state is searched as a whole.
  if (zip === undefined) return [where];
  const radius = radiusOf(criteria);
  return [where, radius === '0' ? 'Any distance' : `${radius} miles`];
}

export interface RadiusOption {
  /** Miles; 0 is nationwide. */
  readonly value: string;
  readonly label: string;
  readonly count?: number;
  readonly isDisabled: boolean;
}

/** '50' → '50 miles', '0' → 'Any'. */
export const radiusLabel = (value: string): string => (value === '0' ? 'Any' : `${value} miles`);

/** Distances without counts, as in the location editor. */
const RADIUS_CHOICES: readonly RadiusOption[] = SEARCH_RADIUS_OPTIONS.map((miles) => ({
  value: String(miles),
  label: radiusLabel(String(miles)),
  isDisabled: false,
}));

/**
 * Distances while no place is set. 'Any' sends no radius, so that a ZIP code entered later gets the default radius.
 */
export const RADIUS_CHOICES_WITHOUT_PLACE: readonly RadiusOption[] = [
  { value: '', label: radiusLabel('0'), isDisabled: false },
  ...RADIUS_CHOICES.filter(({ value }) => value !== '0'),
];

/** 'Any distance' is never disabled. */
const isAny = (option: { readonly value: string; readonly label: string }) =>
  Number(option.value) === 0 || /\bany\b/i.test(option.label);

/** Appends a selected distance that isn't offered, e.g. from the URL, so that the control can show it. */
const includingSelected = (
  options: readonly RadiusOption[],
  selected: string | undefined,
): readonly RadiusOption[] =>
  selected === undefined || options.some(({ value }) => value === selected)
    ? options
    : [...options, { value: selected, label: radiusLabel(selected), isDisabled: false }];

/**
 * The response's distances up to the maximum; those without results or count are disabled, except 'Any'. Without a
 * response, all distances.
 */
export function radiusOptions(filter: Filter | undefined, selected?: string): readonly RadiusOption[] {
  if (!filter || filter.options.length === 0) return includingSelected(RADIUS_CHOICES, selected);
  const distances = filter.options
    .filter(({ value }) => !(Number(value) > MAX_SEARCH_RADIUS))
    .map(({ value, label, count }) => ({
      value,
      label,
      isDisabled: !isAny({ value, label }) && !count,
      ...(count !== undefined && { count }),
    }));
  return includingSelected(distances, selected);
}
