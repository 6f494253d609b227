import type { CrawlLink } from '@forecourt/shared-contracts/entities';
import {
  toCountQuery,
  toGreatPriceCountQuery,
  type RequestContext,
} from '@forecourt/shared-contracts/search';
import type { LoadContext } from '@forecourt/shared-contracts/slots';
import type { RootState } from '@forecourt/shared-contracts/store';
import { referencedModel, type ReferencedModel } from '../vehicle.ts';

/** What the Pricing tab shows; USD. */
export interface PricingData extends ReferencedModel {
  readonly modelYearsData: readonly CrawlLink[];
  readonly trimsData: readonly CrawlLink[];
  /** Great-price listings in the whole country; null when the count failed. */
  readonly greatPriceListingCount: number | null;
  /** ZIP and miles within which the prices were asked; null = the whole country. */
  readonly area: { readonly zip: string; readonly radius: number } | null;
}

const NO_LINKS: { readonly links: readonly CrawlLink[] } = { links: [] };

const requestContext = ({ session }: RootState): RequestContext => ({
  brand: session.brand,
  ...(session.visitorZip && { visitorZip: session.visitorZip }),
});

/** Query of the crawl calls: the place and condition of the search itself, so that prices agree with its listings (AMB-067). */
function crawlParams(state: RootState): Record<string, string> {
  const search = toCountQuery(state.search.criteria, requestContext(state));
  const names = ['makeCode', 'modelCode', 'listingType', 'zip', 'searchRadius'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );
}

/** Changes with everything that the calls are asked by; empty when there is nothing to load. */
export function pricingKey(state: RootState): string {
  if (!state.session.flags['modelReference'] || !referencedModel(state.search.criteria)) return '';
  return (
    toGreatPriceCountQuery(state.search.criteria, requestContext(state)).toString() +
    `&radius=${crawlParams(state)['searchRadius'] ?? ''}`
  );
}

/**
 * Loads years, trims and the great-price count side by side (B7-OTHER-07,
 * B7-OTHER-09, A7-COUNT-01); null without a single make and model. A call
 * that fails costs its own part only; the gateway has logged it.
 */
export async function loadPricing({ state, call, signal }: LoadContext): Promise<PricingData | null> {
  const model = referencedModel(state.search.criteria);
  if (!model || !state.session.flags['modelReference']) return null;
  const params = crawlParams(state);
  const count = toGreatPriceCountQuery(state.search.criteria, requestContext(state));
  const [years, trims, greatPrice] = await Promise.all([
    call('modelYears', params, { signal }).catch(() => NO_LINKS),
    call('trims', params, { signal }).catch(() => NO_LINKS),
    call('count', Object.fromEntries(count), { signal }).catch(() => null),
  ]);
  const radius = Number(params['searchRadius'] ?? 0);
  return {
    ...model,
    modelYearsData: years.links,
    trimsData: trims.links,
    greatPriceListingCount: greatPrice && greatPrice.totalResultCount,
    area: params['zip'] && radius > 0 ? { zip: params['zip'], radius } : null,
  };
}
