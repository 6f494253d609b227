import { BRAND_CODES } from '@forecourt/search/brands';
import { VIEW_COUNT_DAYS } from '@forecourt/upstream/agreements';
import { CALLS } from '@forecourt/upstream/calls';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/upstream/codes';
import type { SuggestedFilter } from '@forecourt/upstream/entities';
import { Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../http/middleware.ts';
import type { Personalization } from '../../domain/callTypes.ts';
import { beaconBody, cacheable, formBody, noStore, ONE_MINUTE, readBody } from '../../http/requests.ts';
import type { ListingIndex, ListingQuery } from '../../search/index.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../../inventory/index.ts';
import type { ActivityStore } from './activityStore.ts';
import { type StockListing, derivedPrice } from '../../domain/stock.ts';

/** Share of the inventory's view counts attributed to the main brand. */
const MAIN_BRAND_SHARE = 0.7;
const MAX_DATE_RANGE = 90;
/** Event type that counts as a view. */
const VIEW_EVENT = 'view';

const viewSchema = z.object({ listingId: z.string().min(1).max(64), brand: z.string().min(1).max(16) });

export interface ActivityRouteDeps {
  readonly people: People;
  readonly activity: ActivityStore;
  readonly callers: Callers;
  readonly store: ListingStore;
  readonly index: ListingIndex;
}

/** Browsing history, view counts, personalization and beacons. */
export function activityRoutes({ people, activity, callers, store, index }: ActivityRouteDeps): Router {
  const router = Router();
  const brandOf = (brandName: string): string =>
    BRAND_CODES.find((code) => code === brandName) ?? BRAND_CODES[0];

  async function recordView(listingId: string, brand: string, consumer?: string): Promise<boolean> {
    const [listing] = await store.listings([listingId]);
    if (!listing) return false;
    await activity.view({ listingId, vin: listing.vin, brand: brandOf(brand), consumer });
    return true;
  }

  const HISTORY = '/cars-for-sale/svc/browsing-history';
  router.get(HISTORY, noStore, async (request, response) => {
    const caller = await callers.visitor(request);
    const contactedIds = await people.leads.listingIds(caller);
    const history = caller.consumer === undefined ? [] : await activity.history(caller.consumer);
    response.json({
      vehicles: history.map((view) => ({ ...view, emailSent: contactedIds.has(view.listingId) })),
    });
  });
  router.post(HISTORY, noStore, formBody, async (request, response) => {
    const { listingId, brand } = readBody(viewSchema, request);
    const { consumer } = await callers.visitor(request);
    if (!(await recordView(listingId, brand, consumer)))
      throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale');
    response.status(204).end();
  });
  router.delete(HISTORY, noStore, async (request, response) => {
    const { consumer } = await callers.visitor(request);
    if (consumer !== undefined) await activity.forget(consumer);
    response.status(204).end();
  });

  // The inventory's own view count plus the views counted since.
  router.get('/cars-for-sale/svc/listing-view-count', cacheable(ONE_MINUTE), async (request, response) => {
    const { vin, dateRange } = request.query;
    if (typeof vin !== 'string' || vin === '')
      throw new ApiError(400, 'INVALID_PARAMETERS', 'vin is required');
    const requested = typeof dateRange === 'string' && /^\d{1,3}$/.test(dateRange) ? Number(dateRange) : 0;
    const days = Math.min(requested || VIEW_COUNT_DAYS, MAX_DATE_RANGE);
    const [id] = await store.idsOfVins([vin.toUpperCase()]);
    const [listing] = id === undefined ? [] : await store.listings([id]);
    const inventoryViews = listing?.viewCount ?? 0;
    const main = Math.round(inventoryViews * MAIN_BRAND_SHARE);
    const counted = await activity.viewsByBrand(vin.toUpperCase(), days);
    const kbb = counted.get('kbb') ?? 0;
    const all = [...counted.values()].reduce((sum, views) => sum + views, 0);
    response.json({ atcViewCount: main + all - kbb, kbbViewCount: inventoryViews - main + kbb });
  });

  router.get('/rest/lsc/personalization', noStore, async (request, response) => {
    const { consumer } = await callers.visitor(request);
    const history = consumer === undefined ? [] : await activity.history(consumer);
    response.json(await personalize(await store.listings(history.map(({ listingId }) => listingId)), index));
  });

  router.post('/cars-for-sale/svc/page-event', noStore, beaconBody, async (request, response) => {
    const { brand, pixallId, events } = readBody(CALLS.pageEvent.body, request);
    const caller = await callers.visitor(request);
    const consumer = caller.consumer ?? (pixallId || undefined);
    for (const { type, listingId } of events)
      if (type === VIEW_EVENT && listingId !== undefined) await recordView(listingId, brand, consumer);
    response.status(204).end();
  });
  router.post('/cars-for-sale/still-interested/alert', noStore, beaconBody, async (request, response) => {
    const { consumer_id: consumer, ...interest } = readBody(CALLS.stillInterested.body, request);
    await activity.interest({ ...interest, consumer });
    response.status(204).end();
  });
  return router;
}

/** Views from which a preference counts. */
const MIN_VIEWS = 2;
/** US dollars per price segment. */
const PRICE_STEP = 10_000;
/** Most suggested filters. */
const MAX_FILTERS = 3;

interface Preference {
  readonly segment: string;
  readonly views: number;
  readonly filter?: {
    readonly name: string;
    readonly codes: SuggestedFilter['codes'];
    readonly query: ListingQuery;
  };
}

function preferencesOf(history: readonly StockListing[]): Preference[] {
  const preferences = new Map<string, Preference>();
  const add = (segment: string, filter?: Preference['filter']) => {
    preferences.set(segment, { segment, filter, views: (preferences.get(segment)?.views ?? 0) + 1 });
  };
  for (const stock of history) {
    const { make, model, bodyStyle, fuel } = stock;
    add(`make:${make.code}`, {
      name: make.name,
      codes: { makeCode: [make.code] },
      query: { vehicle: { makes: [make.code], models: [], trims: [] } },
    });
    add(`model:${make.code}.${model.code}`, {
      name: `${make.name} ${model.name}`,
      codes: { makeCode: [make.code], modelCode: [model.code] },
      query: { vehicle: { makes: [make.code], models: [model.code], trims: [] } },
    });
    if (bodyStyle)
      add(`style:${bodyStyle}`, {
        name: BODY_STYLES[bodyStyle].label,
        codes: { vehicleStyleCode: [bodyStyle] },
        query: { facets: { vehicleStyleCode: [bodyStyle] } },
      });
    if (fuel)
      add(`fuel:${fuel}`, {
        name: FUEL_GROUPS[fuel],
        codes: { fuelTypeGroup: [fuel] },
        query: { facets: { fuelTypeGroup: [fuel] } },
      });
    const price = derivedPrice(stock);
    if (price !== undefined) {
      const from = Math.floor(price / PRICE_STEP) * PRICE_STEP;
      add(`price:${from}-${from + PRICE_STEP}`);
    }
  }
  return [...preferences.values()].sort((a, b) => b.views - a.views || a.segment.localeCompare(b.segment));
}

/**
 * A visitor's preferences: a segment for every property that at least
 * two viewed vehicles share, the most common first, and filters for the first
 * of them with results.
 */
async function personalize(history: readonly StockListing[], index: ListingIndex): Promise<Personalization> {
  const preferred = preferencesOf(history).filter(({ views }) => views >= MIN_VIEWS);
  const counted = await Promise.all(
    preferred
      .flatMap(({ filter }) => filter ?? [])
      .map(async ({ name, codes, query }) => ({ name, codes, count: await index.count(query) })),
  );
  const suggestedFilters = counted.filter(({ count }) => count > 0).slice(0, MAX_FILTERS);
  return { segments: preferred.map(({ segment }) => segment), suggestedFilters };
}
