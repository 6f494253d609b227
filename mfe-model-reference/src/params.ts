import { toSearchQuery, type RequestContext } from '@forecourt/shared-contracts/query';
import { withValues } from '@forecourt/shared-contracts/criteria';
import type { RootState } from '@forecourt/shared-contracts/store';
import type { ReferencedModel } from './vehicle.ts';
import { toGreatPriceCountQuery } from './greatPriceCount.ts';

type Params = Readonly<Record<string, string>>;

const requestContext = ({ session }: RootState): RequestContext => ({
  brand: session.brand,
  ...(session.visitorZip && { visitorZip: session.visitorZip }),
});

/** Query of the crawl calls: the place and condition of the search itself, so that prices agree with its listings (AMB-067). */
export function crawlParams(state: RootState): Params {
  const search = toSearchQuery(state.search.criteria, requestContext(state));
  const names = ['makeCode', 'modelCode', 'listingType', 'zip', 'searchRadius'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );
}

/** The search over the whole country, great prices only (A7-COUNT-01). */
export const greatPriceParams = (state: RootState): Params =>
  Object.fromEntries(toGreatPriceCountQuery(state.search.criteria, requestContext(state)));

/** The search, used vehicles only (B4-MR-03). */
export function usedCountParams(state: RootState): Params {
  const { criteria } = state.search;
  const used = { ...criteria, filters: withValues(criteria.filters, 'listingType', ['USED']) };
  return Object.fromEntries(toSearchQuery(used, requestContext(state)));
}

/** Mileages of the model's used listings everywhere (A7-MILE-01). */
export const mileageParams = ({ makeCode, modelCode }: ReferencedModel): Params => ({
  makeCode,
  modelCode,
  listingType: 'USED',
});
