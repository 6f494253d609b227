import type {
  Listing,
  ListingsResponse,
  Owner,
  SearchResponse,
  Spin,
} from '@forecourt/shared-contracts/entities';
import { BOOST_POSITIONS } from '@forecourt/shared-contracts/rules';
import { NUM_SPOTLIGHTS } from '@forecourt/shared-contracts/query';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { Editorial } from '../content/editorial.ts';
import type { StockOwner } from '../domain/stock.ts';
import type { Hit, ListingIndex, ListingQuery, SearchHits } from '../index/listingIndex.ts';
import { distanceMiles } from '../index/ownerTable.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { chooseShowcase } from './alpha.ts';
import { isEcommerceEligible } from './commerce.ts';
import { spinOf } from './images.ts';
import { createFilterBuilder, filterGroups } from './filters.ts';
import type { BoostWishes } from './newCarBoost.ts';
import { findNewCarBoosts } from './newCarBoost.ts';
import { presentOwner } from './ownerPresenter.ts';
import type { VehicleNames } from './pageData.ts';
import { buildMakeSummary, buildPageData } from './pageData.ts';
import type { Place } from './places.ts';
import { daysOf, present } from './presenter.ts';
import type { SearchRequest } from './request.ts';
import type { SimilarWishes } from './similar.ts';
import { findSimilar } from './similar.ts';
import { nearMisses, strongAttributes, suggestFilters } from './suggestions.ts';
import { findSupplemental } from './wider.ts';
import type { SpotlightTier } from './spotlightTiers.ts';

export interface ListingSearchDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What editors say about the vehicle of a search. */
  readonly editorial: (criteria: SearchCriteria) => Editorial;
}

export interface ListingSearch {
  /** `GET /rest/lsc/listing`. */
  search(request: SearchRequest): SearchResponse;
  count(request: SearchRequest): { totalResultCount: number };
  spotlights(request: SearchRequest, tier: SpotlightTier): ListingsResponse;
  highlight(request: SearchRequest): ListingsResponse;
  similar(request: SearchRequest, wishes: SimilarWishes): ListingsResponse;
  newCarBoosts(request: SearchRequest, wishes: BoostWishes): ListingsResponse;
  /** May the vehicle be bought in its dealer's online shop? False for one that is gone. */
  isEcommerceEligible(id: string): boolean;
  /** Undefined when the vehicle is gone or never was. */
  listing(id: string): { listing: Listing; owner: Owner } | undefined;
  /** What a vehicle is, or was when it is gone. */
  modelOf(id: string): { makeCode: string; modelCode: string } | undefined;
  /** Undefined when there is no 360 view of it, too. */
  spin(id: string): Spin | undefined;
}

/** Candidates among which the most urgent is highlighted. */
const HIGHLIGHT_CANDIDATES = 60;

/** Zero-based place of a page's first spotlight. The first page has more premium ones than those that follow (AMB-007). */
const firstSpotlight = (tier: SpotlightTier, page: number, size: number): number =>
  tier === 'premium' && page > 1 ? NUM_SPOTLIGHTS.premiumFirstPage + (page - 2) * size : (page - 1) * size;

export function createListingSearch({ index, store, now, editorial }: ListingSearchDeps): ListingSearch {
  const today = () => daysOf(now());
  const buildFilters = createFilterBuilder();

  let sponsors: { version: number; owners: StockOwner[] } | undefined;
  const alphaOwners = () => {
    if (sponsors?.version !== index.version)
      sponsors = { version: index.version, owners: store.alphaOwners() };
    return sponsors.owners;
  };

  /** Presents hits in their order, with their owners. */
  function presentHits(
    hits: readonly Hit[],
    place: Place | undefined,
    namedFilters?: readonly string[],
  ): { listings: Listing[]; owners: Owner[] } {
    const stock = store.listings(hits.map(({ id }) => id));
    const owners = store.owners(stock.map(({ ownerId }) => ownerId));
    const distanceOf = new Map(hits.map(({ id, distance }) => [id, distance]));
    const day = today();
    const listings = stock.map((item) =>
      present(item, owners.get(item.ownerId)!, {
        today: day,
        place,
        distance: distanceOf.get(item.id),
        ...(namedFilters && { namedFilters }),
      }),
    );
    const awayOf = new Map(stock.map((item) => [item.ownerId, distanceOf.get(item.id)]));
    return {
      listings,
      owners: [...owners.values()].map((owner) => presentOwner(owner, awayOf.get(owner.id))),
    };
  }

  /** VINs are looked up where they are stored; the index knows ids. */
  const restricted = (request: SearchRequest): ListingQuery =>
    request.vins.length > 0 ? { ...request.query, ids: store.idsOfVins(request.vins) } : request.query;

  function vehicleNames({ criteria }: SearchRequest): VehicleNames {
    const { makeCode, modelCode, trimCode } = criteria.filters;
    if (makeCode?.length !== 1) return {};
    const only = (codes: readonly string[] | undefined) => (codes?.length === 1 ? codes : []);
    const { make, model, trim } = index.names({
      makes: makeCode,
      models: only(modelCode),
      trims: only(trimCode),
    });
    return { make: make?.name, model: model?.name, trim: trim?.name };
  }

  /** Paid listings for the grid's boost slots (B9-GRID-05): the most relevant ones that pass the filters. */
  function presentBoosts({ query, place, withoutOptions }: SearchRequest) {
    if (withoutOptions) return { listings: [], owners: [] };
    const { hits } = index.search(
      { ...query, paidTier: 'boost' },
      { sort: 'relevance', first: 0, size: BOOST_POSITIONS.length },
    );
    return presentHits(hits, place);
  }

  function presentShowcase(request: SearchRequest): SearchResponse['alpha'] {
    const owner = (id: string): StockOwner | undefined => store.owners([id]).get(id);
    const showcase = chooseShowcase(request, { index, alphaOwners, owner });
    const sponsor = showcase && owner(showcase.ownerId);
    if (!showcase || !sponsor) return undefined;
    const { centre } = request.query;
    const distance = centre && distanceMiles(centre, sponsor);
    const hits = showcase.listingIds.map((id) => ({ id, distance }));
    // Whoever shows them says which wishes of the search they miss (B5-MISS-01).
    const { listings } = presentHits(hits, request.place, Object.keys(request.criteria.filters));
    return {
      alphaShowcase: { isAlpha: sponsor.isAlpha, listings },
      ownerBean: presentOwner(sponsor, distance),
    };
  }

  function discovery(request: SearchRequest, hits: SearchHits) {
    const filters = buildFilters(request.criteria, hits.counts);
    const { counts, total } = hits;
    if (!counts) return { filters };
    return {
      filters,
      filterGroups: filterGroups(),
      suggestedFilters: suggestFilters(filters, total),
      strongAttributesFilters: strongAttributes(filters, total),
      nearMisses: nearMisses(counts, total),
    };
  }

  return {
    search(request) {
      const { criteria, page, place, params } = request;
      const hits = index.search(restricted(request), page, { counts: !request.withoutOptions });
      const wider = request.isWidened
        ? findSupplemental(index, { query: restricted(request), page }, hits.total)
        : undefined;
      const { total, hits: listed } = wider ?? hits;
      const found = presentHits(listed, place);
      const boosts = presentBoosts(request);
      const names = vehicleNames(request);
      const { price, year } = hits.stats;
      return {
        listings: found.listings,
        owners: uniqueById([...found.owners, ...boosts.owners]),
        totalResultCount: total,
        filterGroups: [],
        suggestedFilters: [],
        strongAttributesFilters: [],
        nearMisses: [],
        ...discovery(request, hits),
        stats: { derivedprice: price, year },
        requestParams: { ...params, firstRecord: String(hits.first), numRecords: String(page.size) },
        spotlights: [],
        featuredSpotlights: [],
        standardSpotlights: [],
        boost: boosts.listings,
        alpha: request.withoutOptions ? undefined : presentShowcase(request),
        ...(request.withoutOptions ? { editorialReviews: [] } : editorial(criteria)),
        makeSummaryData: buildMakeSummary(criteria, hits, names),
        pageData: buildPageData(criteria, hits, names, place),
      };
    },

    count: (request) => ({ totalResultCount: index.count(restricted(request)) }),

    spotlights(request, tier) {
      const size = Math.max(1, request.numSpotlights ?? defaultSpotlights(tier));
      const query = { ...request.query, paidTier: tier };
      const first = firstSpotlight(tier, request.spotlightPage, size);
      // Pages are not of one size: they begin anywhere.
      const page = { sort: 'relevance', first, size, step: 1 } as const;
      const { total, hits, first: answered } = index.search(query, page);
      // Past the last page there is nothing more to sell, not the last page again.
      const isThere = answered === first && request.numSpotlights !== 0;
      return { ...presentHits(isThere ? hits : [], request.place), totalResultCount: total };
    },

    highlight(request) {
      const { hits } = index.search(request.query, {
        sort: 'relevance',
        first: 0,
        size: HIGHLIGHT_CANDIDATES,
      });
      const { listings, owners } = presentHits(hits, request.place);
      const highlighted = listings.find(({ vehicleHighlight }) => vehicleHighlight);
      if (!highlighted) return { listings: [], owners: [], totalResultCount: 0 };
      return {
        listings: [highlighted],
        owners: owners.filter(({ id }) => id === highlighted.ownerId),
        totalResultCount: 1,
      };
    },

    similar(request, wishes) {
      const { total, hits } = findSimilar(index, request, wishes);
      return { ...presentHits(hits, request.place), totalResultCount: total };
    },

    newCarBoosts(request, wishes) {
      const { total, hits } = findNewCarBoosts(index, request, wishes);
      return { ...presentHits(hits, request.place), totalResultCount: total };
    },

    isEcommerceEligible(id) {
      const [stock] = store.listings([id]);
      const owner = stock && store.owners([stock.ownerId]).get(stock.ownerId);
      return stock !== undefined && owner !== undefined && isEcommerceEligible(stock, owner);
    },

    listing(id) {
      const [stock] = store.listings([id]);
      const owner = stock && store.owners([stock.ownerId]).get(stock.ownerId);
      if (!stock || !owner) return undefined;
      return { listing: present(stock, owner, { today: today() }), owner: presentOwner(owner) };
    },

    modelOf(id) {
      const stock = store.everListed(id);
      return stock && { makeCode: stock.make.code, modelCode: stock.model.code };
    },

    spin(id) {
      const [stock] = store.listings([id]);
      return stock && spinOf(stock);
    },
  };
}

const uniqueById = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

const defaultSpotlights = (tier: SpotlightTier): number =>
  tier === 'premium' ? NUM_SPOTLIGHTS.premiumFirstPage : NUM_SPOTLIGHTS[tier];
