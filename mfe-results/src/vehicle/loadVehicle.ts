import { BRANDS } from '@forecourt/search/brands';
import {
  createSlugReference,
  DEFAULT_PATH,
  EMPTY_SLUG_REFERENCE,
  type SlugData,
  type SlugReference,
} from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { toApiQuery } from '@forecourt/search/query';
import { encodeUrl } from '@forecourt/search/url';
import type { Call, LoadContext } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { vinOf } from '../listing/facts.ts';
import { toSimilarQuery } from '../search/similarQuery.ts';
import { loadMarketFilters, marketPosition, type MarketPosition } from './market.ts';
import { orElse } from './orElse.ts';
import {
  expiredListingUrl,
  modelCriteria,
  nearPlaceOf,
  type PreviousSearch,
  previousSearch,
  previousZip,
  SEARCH_PARAM,
} from './returnToSearch.ts';
import { featureNames } from './featureNames.ts';
import { loadSimilar, withSellers } from './similar.ts';
import type { VehicleWithSeller } from './VehicleCards.tsx';

/** Other sellers of the same vehicle. */
const MAX_OFFERS = 5;

interface Offer {
  readonly listing: Listing;
  readonly owner: Owner;
}

/** The link to a certified vehicle's program. */
export type ProgramLink = Pick<
  CallResponses['certifiedContent'][number],
  'productId' | 'linkText' | 'cpoTile'
>;

/** A vehicle that is for sale, with everything its page shows. */
export interface VehicleForSale {
  readonly kind: 'forSale';
  readonly listing: Listing;
  readonly owner: Owner;
  readonly similar: readonly VehicleWithSeller[];
  /** The same vehicle by its VIN, listed by other sellers; the lowest price first. */
  readonly otherOffers: readonly Offer[];
  readonly market: MarketPosition | undefined;
  readonly features: readonly string[];
  readonly program: ProgramLink | undefined;
  /** The search the shopper came from, if known. */
  readonly searchUrl: string | undefined;
  /** Its number of vehicles; undefined when it is not known in time. */
  readonly resultCount: number | undefined;
  /** All vehicles of this model. */
  readonly modelUrl: string;
}

/** Days for which the page of a vehicle that is gone leads to comparable results; then the status is 410. */
const GRACE_DAYS = 30;

type VehicleModel = NonNullable<CallResponses['vehicleModel']>;

/** It was for sale, longer ago than the days of grace. */
export interface Sold {
  readonly kind: 'sold';
  /** How it was listed. */
  readonly removed: VehicleModel['removed'];
  readonly similar: VehicleForSale['similar'];
  /** All vehicles of its model. */
  readonly modelUrl: string;
}

/** `gone`: it was for sale; `redirect` leads to comparable results. `unknown`: it never was. */
export type VehicleData =
  | VehicleForSale
  | { readonly kind: 'gone'; readonly redirect: string }
  | Sold
  | { readonly kind: 'unknown'; readonly searchUrl: string | undefined };

/** Path of a vehicle's page. */
export const vehiclePath = (listingId: string): string =>
  `/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`;

/** The page's place on the site, from the home page: shown above it and told to search engines. */
export const crumbsOf = ({
  listing,
  modelUrl,
}: VehicleForSale): readonly {
  readonly name: string;
  readonly path: string;
  readonly isCurrent: boolean;
}[] => [
  { name: 'Home', path: '/', isCurrent: false },
  { name: 'Cars for Sale', path: DEFAULT_PATH, isCurrent: false },
  { name: `${listing.make.name} ${listing.model.name}`, path: modelUrl, isCurrent: false },
  { name: listing.title, path: vehiclePath(listing.id), isCurrent: true },
];

/** Parameters of the page's URL. */
export const queryOf = ({ url }: RootState['page']): URLSearchParams =>
  new URLSearchParams(url.split('?')[1]);

function listingIdOf({ url }: RootState['page']): string {
  const segment = url.split('?')[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Without makes and models, links name them in the query and the shell redirects to the normalized URL. */
const referenceOf = (slugs: SlugData | undefined): SlugReference =>
  slugs ? createSlugReference(slugs) : EMPTY_SLUG_REFERENCE;

/** The vehicle, or undefined when the upstream refuses its id: it was sold or never existed. */
async function loadListing(
  call: Call,
  id: string,
  zip: string | undefined,
): Promise<{ listing: Listing; owner: Owner } | undefined> {
  try {
    return await call('listing', { id, ...(zip && { zip }) });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'REFUSED') return undefined;
    throw error;
  }
}

/** The certified program of the listing's product, or else of its make. */
async function loadProgram({ certifiedProduct, makeCode }: Listing, call: Call) {
  if (!certifiedProduct) return undefined;
  const programs = await orElse(call('certifiedContent', {}), []);
  const program =
    programs.find(({ productId }) => productId === certifiedProduct) ??
    programs.find((each) => each.makeCode === makeCode);
  return program && { productId: program.productId, linkText: program.linkText, cpoTile: program.cpoTile };
}

async function loadResultCount(
  previous: PreviousSearch | undefined,
  { state, call }: LoadContext,
): Promise<number | undefined> {
  if (!previous) return undefined;
  const query = toApiQuery(previous.criteria, { brand: state.session.brand });
  // The call's fallback is 0, as if nothing was found.
  return (await orElse(call('count', Object.fromEntries(query)), undefined))?.totalResultCount || undefined;
}

/** Other sellers' listings of the vehicle. */
async function loadOtherOffers(listing: Listing, { state, call }: LoadContext): Promise<readonly Offer[]> {
  const vin = vinOf(listing);
  if (!vin) return [];
  const { channel } = BRANDS[state.session.brand];
  const response = await orElse(call('listingsByVin', { collapseFilters: 'true', vin, channel }), undefined);
  const priceOf = ({ listing: { pricingDetail } }: Offer) => pricingDetail.derivedPrice ?? Infinity;
  return (response?.listings ?? [])
    .filter(({ ownerId }) => ownerId !== listing.ownerId)
    .flatMap((each) => {
      const owner = response?.owners.find(({ id }) => id === each.ownerId);
      return owner ? [{ listing: each, owner }] : [];
    })
    .sort((a, b) => priceOf(a) - priceOf(b))
    .slice(0, MAX_OFFERS);
}

async function loadSold(
  { makeCode, modelCode, removed }: VehicleModel,
  { reference, previous }: { reference: SlugReference; previous: PreviousSearch | undefined },
  { state, call }: LoadContext,
): Promise<Sold> {
  const criteria = nearPlaceOf(previous, modelCriteria(makeCode, modelCode));
  const query = toSimilarQuery(criteria, { brand: state.session.brand, shownIds: [] });
  const response = await orElse(call('similar', Object.fromEntries(query)), undefined);
  return { kind: 'sold', removed, similar: withSellers(response), modelUrl: encodeUrl(criteria, reference) };
}

/** Loads the vehicle page's data. Rejects only when the listing itself can't be loaded. */
export async function loadVehicle(context: LoadContext): Promise<VehicleData> {
  const { state, call } = context;
  const { page } = state;
  const id = listingIdOf(page);
  const origins = [queryOf(page).get(SEARCH_PARAM), page.referrer];
  const slugs = call('slugReference', {}).catch(() => undefined);
  const response = await loadListing(call, id, previousZip(origins));
  // Late is what comes long after the listing: on a busy server both take their time.
  const reference = referenceOf(await orElse(slugs, undefined));
  const previous = await previousSearch(origins, reference);
  if (!response) {
    const model = await orElse(call('vehicleModel', { id }), undefined);
    if (model === null) return { kind: 'unknown', searchUrl: previous?.url };
    if (model && (model.removedDays ?? 0) > GRACE_DAYS)
      return loadSold(model, { reference, previous }, context);
    return { kind: 'gone', redirect: expiredListingUrl(model, previous, reference) };
  }
  const { listing, owner } = response;
  const [similar, otherOffers, filters, program, resultCount] = await Promise.all([
    loadSimilar(listing, owner, context),
    loadOtherOffers(listing, context),
    loadMarketFilters(listing, context),
    loadProgram(listing, call),
    loadResultCount(previous, context),
  ]);
  return {
    kind: 'forSale',
    listing,
    owner,
    similar,
    otherOffers,
    market: marketPosition(listing.pricingDetail.derivedPrice, filters),
    features: featureNames(listing.features),
    program,
    searchUrl: previous?.url,
    resultCount,
    modelUrl: encodeUrl(modelCriteria(listing.makeCode, listing.modelCode), reference),
  };
}
