import { NUM_SPOTLIGHTS } from '@forecourt/search/query';
import { BOOST_POSITIONS } from '@forecourt/upstream/agreements';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Listing, ListingsResponse, Owner, SearchResponse } from '@forecourt/upstream/entities';
import type { Spin } from '../../domain/callTypes.ts';
import type { SpotlightTier, StockOwner } from '../../domain/stock.ts';
import type { EditorialFinder } from '../content/editorial.ts';
import type { PictureSource } from '../content/pictureRoutes.ts';
import type { Catalog } from '../../domain/catalog.ts';
import type { Hit, ListingIndex, ListingQuery, SearchHits } from '../listingIndex/listingIndex.ts';
import { distanceMiles } from '../../domain/places/index.ts';
import { isEcommerceEligible } from '../../domain/payments.ts';
import type { Place } from '../../domain/places/index.ts';
import type { ListingStore } from '../../inventory/index.ts';
import { urgencyOf } from './badges.ts';
import { type FilterBuilder, createFilterBuilder, filterGroups } from './filters.ts';
import {
  buildMakeSummary,
  buildPageData,
  nearMisses,
  strongAttributes,
  suggestFilters,
  type VehicleNames,
} from './pageData.ts';
import { MarketPrices } from './marketPrices.ts';
import { type Presenter, createPresenter, daysOf } from './presenter.ts';
import {
  type BoostCriteria,
  type SimilarCriteria,
  findNewCarBoosts,
  findSimilar,
  findSupplemental,
} from './relatedListings.ts';
import { idsOfNumber, type SearchRequest } from './request.ts';
import { chooseShowcase } from './showcase.ts';

export interface ListingSearchDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly catalog: Catalog;
  readonly pictures: PictureSource;
  readonly editorial: EditorialFinder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const MS_PER_DAY = 86_400_000;
/** Candidates among which the most urgent is highlighted. */
const HIGHLIGHT_CANDIDATES = 60;
/** The searches behind the listing calls. */
export class ListingSearch {
  private readonly deps: ListingSearchDeps;
  private readonly presenter: Presenter;
  private readonly market: MarketPrices;
  private readonly buildFilters: FilterBuilder;
  /** Alpha owners, cached until the index changes. */
  private sponsors: { readonly version: number; readonly owners: Promise<StockOwner[]> } | undefined;

  constructor(deps: ListingSearchDeps) {
    this.deps = deps;
    this.presenter = createPresenter(deps.pictures);
    this.market = new MarketPrices(deps.index, deps.now);
    this.buildFilters = createFilterBuilder(deps.catalog);
  }

  /** `GET /rest/lsc/listing`. */
  async search(request: SearchRequest): Promise<SearchResponse> {
    const { index, editorial } = this.deps;
    const { criteria, page, place, params, withoutOptions } = request;
    const query = await this.queryOf(request);
    const searchAndPresent = async () => {
      const hits = await index.search(query, page, { counts: !withoutOptions });
      const { isWidened } = request;
      const wider = isWidened ? await findSupplemental(index, { query, page }, hits.total) : undefined;
      const { total, hits: listed } = wider ?? hits;
      // In the turn of its search: the store is asked for the state that was searched.
      return { hits, total, found: await this.presentHits(listed, place) };
    };
    const [{ hits, total, found }, boosts, showcase] = await Promise.all([
      searchAndPresent(),
      this.presentBoosts(request),
      withoutOptions ? undefined : this.presentShowcase(request),
    ]);
    const names = this.vehicleNames(request);
    const { price, year } = hits.stats;
    return {
      listings: found.listings,
      owners: uniqueById([...found.owners, ...boosts.owners]),
      totalResultCount: total,
      ...this.filtersAndSuggestions(request, hits),
      stats: { derivedprice: price, year },
      requestParams: { ...params, firstRecord: String(hits.first), numRecords: String(page.size) },
      spotlights: [],
      featuredSpotlights: [],
      standardSpotlights: [],
      boost: boosts.listings,
      alpha: showcase,
      ...(withoutOptions ? { editorialReviews: [] } : editorial(criteria)),
      makeSummaryData: buildMakeSummary(criteria, hits, names),
      pageData: buildPageData(criteria, hits, names, place),
    };
  }

  async count(request: SearchRequest): Promise<{ totalResultCount: number }> {
    return { totalResultCount: await this.deps.index.count(await this.queryOf(request)) };
  }

  async spotlights(request: SearchRequest, tier: SpotlightTier): Promise<ListingsResponse> {
    const size = Math.max(1, request.numSpotlights ?? defaultSpotlights(tier));
    const query = { ...request.query, paidTier: tier };
    const offset = firstSpotlight(tier, request.spotlightPage, size);
    // Pages differ in size, so they may begin at any offset.
    const page = { sort: 'relevance', first: offset, size, step: 1 } as const;
    const { total, hits, first } = await this.deps.index.search(query, page);
    // The index clamps to its last page; past the end there are no spotlights.
    const isThere = first === offset && request.numSpotlights !== 0;
    return { ...(await this.presentHits(isThere ? hits : [], request.place)), totalResultCount: total };
  }

  async highlight(request: SearchRequest): Promise<ListingsResponse> {
    const page = { sort: 'relevance', first: 0, size: HIGHLIGHT_CANDIDATES } as const;
    const { hits } = await this.deps.index.search(request.query, page);
    const highlighted = await this.firstUrgent(hits);
    return {
      ...(await this.presentHits(highlighted ? [highlighted] : [], request.place)),
      totalResultCount: highlighted ? 1 : 0,
    };
  }

  /** Reads more and more candidates at a time: among the most relevant, one of the first is urgent. */
  private async firstUrgent(hits: readonly Hit[]): Promise<Hit | undefined> {
    const today = daysOf(this.deps.now());
    for (let at = 0, count = 1; at < hits.length; at += count, count *= 3) {
      const some = hits.slice(at, at + count);
      const listings = await this.deps.store.listings(some.map(({ id }) => id));
      const urgent = listings.find((stock) => urgencyOf(stock, today));
      if (urgent) return some.find(({ id }) => id === urgent.id);
    }
    return undefined;
  }

  async similar(request: SearchRequest, criteria: SimilarCriteria): Promise<ListingsResponse> {
    const { total, hits } = await findSimilar(this.deps.index, request, criteria);
    return { ...(await this.presentHits(hits, request.place)), totalResultCount: total };
  }

  async newCarBoosts(request: SearchRequest, criteria: BoostCriteria): Promise<ListingsResponse> {
    const { total, hits } = await findNewCarBoosts(this.deps.index, request, criteria);
    return { ...(await this.presentHits(hits, request.place)), totalResultCount: total };
  }

  /** Whether the vehicle can be bought in its dealer's online shop; false when it is no longer for sale. */
  async isEcommerceEligible(id: string): Promise<boolean> {
    const [stock] = await this.deps.store.listings([id]);
    const owner = stock && (await this.owner(stock.ownerId));
    return stock !== undefined && owner !== undefined && isEcommerceEligible(stock, owner);
  }

  /** Undefined for a vehicle that does not exist or is no longer for sale. Distances are measured from `place`. */
  async listing(id: string, place?: Place): Promise<{ listing: Listing; owner: Owner } | undefined> {
    const [stock] = await this.deps.store.listings([id]);
    const owner = stock && (await this.owner(stock.ownerId));
    if (!stock || !owner) return undefined;
    const today = daysOf(this.deps.now());
    return {
      listing: this.presenter.listing(stock, owner, {
        today,
        isDetail: true,
        market: await this.market.of(stock),
      }),
      owner: this.presenter.owner(owner, place && distanceMiles(place, owner)),
    };
  }

  /** Also returns vehicles that are no longer for sale. */
  async modelOf(id: string): Promise<CallResponses['vehicleModel'] | undefined> {
    const ever = await this.deps.store.everListed(id);
    if (!ever) return undefined;
    const { listing, removedAt } = ever;
    return {
      makeCode: listing.make.code,
      modelCode: listing.model.code,
      ...(removedAt !== undefined && {
        removedDays: Math.max(0, Math.floor((this.deps.now() - removedAt) / MS_PER_DAY)),
        removed: this.presenter.removed(listing),
      }),
    };
  }

  /** Sitemap files with vehicles, and the vehicles of one of them. */
  async sitemap(file: number | undefined): Promise<CallResponses['vehicleSitemap']> {
    const { store } = this.deps;
    const dated = <Entry extends { changedOn: number }>({ changedOn, ...entry }: Entry) => ({
      ...entry,
      changedOn: new Date(changedOn * MS_PER_DAY).toISOString().slice(0, 10),
    });
    return {
      files: file === undefined ? (await store.sitemapFiles()).map(dated) : [],
      vehicles: file === undefined ? [] : (await store.sitemapVehicles(file)).map(dated),
    };
  }

  /** Undefined for a vehicle that is no longer for sale or has no 360° view. */
  async spin(id: string): Promise<Spin | undefined> {
    const [stock] = await this.deps.store.listings([id]);
    return stock && this.presenter.spin(stock);
  }

  private async owner(id: string): Promise<StockOwner | undefined> {
    return (await this.deps.store.owners([id])).get(id);
  }

  private alphaOwners(): Promise<StockOwner[]> {
    const { index, store } = this.deps;
    if (this.sponsors?.version !== index.version) {
      const sponsors = { version: index.version, owners: store.alphaOwners() };
      this.sponsors = sponsors;
      // The next search asks again.
      sponsors.owners.catch(() => {
        if (this.sponsors === sponsors) this.sponsors = undefined;
      });
    }
    return this.sponsors!.owners;
  }

  /** VINs and stock numbers are looked up in the store, because the index knows ids only. */
  async queryOf({ query, vins }: SearchRequest): Promise<ListingQuery> {
    const { store } = this.deps;
    if (vins.length > 0) return { ...query, ids: await store.idsOfVins(vins) };
    const ids = await idsOfNumber(store, query.keywords ?? []);
    if (!ids) return query;
    // A number names its vehicles, wherever they are.
    const { keywords: _, center: __, radius: ___, state: ____, city: _____, ...rest } = query;
    return { ...rest, ids };
  }

  /** Listings in the order of the hits, with their owners. */
  private async presentHits(
    hits: readonly Hit[],
    place: Place | undefined,
    namedFilters?: readonly string[],
  ): Promise<{ listings: Listing[]; owners: Owner[] }> {
    const { store, now } = this.deps;
    const stock = await store.listings(hits.map(({ id }) => id));
    const owners = await store.owners(stock.map(({ ownerId }) => ownerId));
    const distanceOf = new Map(hits.map(({ id, distance }) => [id, distance]));
    const today = daysOf(now());
    const markets = await Promise.all(stock.map((item) => this.market.of(item)));
    const listings = stock.map((item, at) =>
      this.presenter.listing(item, owners.get(item.ownerId)!, {
        today,
        place,
        market: markets[at],
        distance: distanceOf.get(item.id),
        ...(namedFilters && { namedFilters }),
      }),
    );
    const ownerDistance = new Map(stock.map((item) => [item.ownerId, distanceOf.get(item.id)]));
    return {
      listings,
      owners: [...owners.values()].map((owner) => this.presenter.owner(owner, ownerDistance.get(owner.id))),
    };
  }

  /** Paid listings for the grid's boost slots: the most relevant ones that pass the filters. */
  private async presentBoosts({ query, place, withoutOptions }: SearchRequest) {
    if (withoutOptions) return { listings: [], owners: [] };
    const page = { sort: 'relevance', first: 0, size: BOOST_POSITIONS.length } as const;
    const { hits } = await this.deps.index.search({ ...query, paidTier: 'boost' }, page);
    return this.presentHits(hits, place);
  }

  private async presentShowcase(request: SearchRequest): Promise<SearchResponse['alpha']> {
    const showcase = await chooseShowcase(request, {
      index: this.deps.index,
      alphaOwners: () => this.alphaOwners(),
      owner: (id) => this.owner(id),
    });
    const sponsor = showcase && (await this.owner(showcase.ownerId));
    if (!showcase || !sponsor) return undefined;
    const { center } = request.query;
    const distance = center && distanceMiles(center, sponsor);
    const hits = showcase.listingIds.map((id) => ({ id, distance }));
    // The page names the criteria that a listing misses, so each listing carries its codes.
    const { listings } = await this.presentHits(hits, request.place, Object.keys(request.criteria.filters));
    return {
      alphaShowcase: { isAlpha: sponsor.isAlpha && sponsor.hasInventoryShowcase !== true, listings },
      ownerBean: this.presenter.owner(sponsor, distance),
    };
  }

  /** Names of the one make, model and trim of the search. */
  private vehicleNames({ criteria }: SearchRequest): VehicleNames {
    const { makeCode, modelCode, trimCode } = criteria.filters;
    if (makeCode?.length !== 1) return {};
    const only = (codes: readonly string[] | undefined) => (codes?.length === 1 ? codes : []);
    const { make, model, trim } = this.deps.index.names({
      makes: makeCode,
      models: only(modelCode),
      trims: only(trimCode),
    });
    return { make: make?.name, model: model?.name, trim: trim?.name };
  }

  private filtersAndSuggestions(request: SearchRequest, { counts, total }: SearchHits) {
    const filters = this.buildFilters(request.criteria, counts);
    if (!counts)
      return { filters, filterGroups: [], suggestedFilters: [], strongAttributesFilters: [], nearMisses: [] };
    return {
      filters,
      filterGroups: filterGroups(),
      suggestedFilters: suggestFilters(filters, total),
      strongAttributesFilters: strongAttributes(filters, total),
      nearMisses: nearMisses(counts, total),
    };
  }
}

const uniqueById = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

const defaultSpotlights = (tier: SpotlightTier): number =>
  tier === 'premium' ? NUM_SPOTLIGHTS.premiumFirstPage : NUM_SPOTLIGHTS[tier];

/** Zero-based offset of a page's first spotlight; the first premium page is larger. */
const firstSpotlight = (tier: SpotlightTier, page: number, size: number): number =>
  tier === 'premium' && page > 1 ? NUM_SPOTLIGHTS.premiumFirstPage + (page - 2) * size : (page - 1) * size;
