import type { FilterValues } from './criteria.ts';
import { withThousands } from './labels.ts';

const dollars = (value: string) => `$${withThousands(value)}`;

/** Words for a price range, shared by chips and breadcrumbs (A2-CRUMB-11..13, AMB-062). */
export function priceText(filters: Pick<FilterValues, 'minPrice' | 'maxPrice'>): string | undefined {
  const min = filters.minPrice?.[0];
  const max = filters.maxPrice?.[0];
  if (min && max) return `Between ${dollars(min)} - ${dollars(max)}`;
  if (min) return `Over ${dollars(min)}`;
  return max && `Under ${dollars(max)}`;
}

/** Words for a year range; one year stands alone (A2-CRUMB-10, AMB-061). */
export function yearText(filters: Pick<FilterValues, 'startYear' | 'endYear'>): string | undefined {
  const start = filters.startYear?.[0];
  const end = filters.endYear?.[0];
  if (start && end) return start === end ? start : `${start} - ${end}`;
  if (start) return `${start} or Newer`;
  return end && `${end} or Older`;
}

/** Where a search looks: 'City, ST', else the state or the ZIP (AMB-060). */
export function placeText(
  filters: Pick<FilterValues, 'zip' | 'city' | 'state'>,
  lookedUp?: { readonly city: string; readonly state: string },
): string | undefined {
  const city = filters.city?.[0];
  const state = filters.state?.[0];
  if (city && state) return `${city}, ${state}`;
  if (filters.zip && lookedUp) return `${lookedUp.city}, ${lookedUp.state}`;
  return filters.zip?.[0] ?? city ?? state;
}
