import { DEFAULT_SEARCH_RADIUS, type SearchCriteria, valuesOf } from '@forecourt/shared-contracts/criteria';
import { placeText } from '@forecourt/shared-contracts/catalog';

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
