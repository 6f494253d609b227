import { Router } from 'express';
import { formatCount, formatDollars, formatNumber } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { derivedPrice, type StockListing, vehicleName } from '../../domain/stock.ts';
import { ApiError } from '../../http/middleware.ts';
import type { ListingIndex } from '../listingIndex/listingIndex.ts';
import type { PhotoFiles, ShareCard, SharePainter, ListingStore } from '../../inventory/index.ts';
import type { PictureSource } from './pictureRoutes.ts';

export interface ShareDeps {
  readonly index: ListingIndex;
  readonly store: ListingStore;
  readonly pictures: PictureSource;
  readonly photoFiles: PhotoFiles;
  readonly painter: SharePainter;
  readonly siteName: string;
}

/** Pictures of about 90 KB cached in memory. */
const MAX_CACHED = 100;
/** Pictures that wait for the one being drawn, each for about 0.2 s; further requests are refused. */
const MAX_WAITING = 15;

/** Prices and counts change; networks keep their own copies anyway. */
const ONE_HOUR = 'public, max-age=3600';
const SHOWN_IN_SEARCH = 4;

/** The first picture of a vehicle: its photo, else its drawing. */
async function pictureOf(listing: StockListing, { photoFiles, pictures }: ShareDeps): Promise<Uint8Array[]> {
  const [photo] = listing.photos ?? [];
  if (photo) {
    const width = photo.widths.at(-1)!;
    const bytes = await photoFiles.read({ hash: photo.hash, width, format: 'webp' });
    return bytes ? [bytes] : [];
  }
  const [drawing] = pictures.gallery(listing);
  const svg = drawing && pictures.render(drawing.src);
  return svg === undefined ? [] : [Buffer.from(svg)];
}

const picturesOf = async (listings: readonly StockListing[], deps: ShareDeps): Promise<Uint8Array[]> =>
  (await Promise.all(listings.map((listing) => pictureOf(listing, deps)))).flat();

async function vehicleCard(id: string, deps: ShareDeps): Promise<ShareCard | undefined> {
  const [listing] = await deps.store.listings([id]);
  if (!listing) return undefined;
  const owner = (await deps.store.owners([listing.ownerId])).get(listing.ownerId);
  const { mileage } = listing;
  return {
    title: vehicleName(listing),
    highlight: formatPrice(derivedPrice(listing)),
    facts: [
      mileage === undefined ? '' : `${formatNumber(mileage)} miles`,
      owner ? `${owner.city}, ${owner.state}` : '',
    ].filter(Boolean),
    site: deps.siteName,
    pictures: await picturesOf([listing], deps),
  };
}

async function searchCard(codes: readonly string[], deps: ShareDeps): Promise<ShareCard | undefined> {
  const { index, store, siteName: site } = deps;
  const [make, model] = codes;
  const vehicle = { makes: make ? [make] : [], models: model ? [model] : [], trims: [] };
  const page = { sort: 'relevance', first: 0, size: SHOWN_IN_SEARCH } as const;
  const { total, hits, stats } = await index.search({ vehicle }, page, { counts: false });
  if (total === 0) return undefined;
  const names = index.names(vehicle);
  return {
    title: [names.make?.name, names.model?.name].filter(Boolean).join(' ') || 'Cars for Sale',
    highlight: formatCount(total, 'vehicle'),
    facts: ['New and used', ...(stats.price ? [`From ${formatDollars(stats.price.min)}`] : [])],
    site,
    pictures: await picturesOf(await store.listings(hits.map(({ id }) => id)), deps),
  };
}

/** Draws and keeps share pictures; undefined if there is nothing to show. */
function createShareCards(deps: ShareDeps) {
  /** By their path and content, in order of use. */
  const drawn = new Map<string, Promise<Uint8Array>>();
  let waiting = 0;

  async function draw(card: ShareCard): Promise<Uint8Array> {
    if (waiting > MAX_WAITING) throw new ApiError(503, 'PICTURES_BUSY', 'Too many pictures are being drawn');
    waiting += 1;
    try {
      const picture = await deps.painter.run(card);
      if (typeof picture === 'string') throw new Error(`share picture not drawn: ${picture}`);
      return picture;
    } finally {
      waiting -= 1;
    }
  }

  return async (path: string, card: ShareCard): Promise<Uint8Array> => {
    const { title, highlight, facts, pictures } = card;
    const key = JSON.stringify([path, title, highlight, facts, pictures.map(({ length }) => length)]);
    const picture = drawn.get(key) ?? draw(card);
    drawn.delete(key);
    drawn.set(key, picture);
    if (drawn.size > MAX_CACHED) drawn.delete(drawn.keys().next().value!);
    picture.catch(() => drawn.delete(key));
    return await picture;
  };
}

/** Pictures of 1200 × 630 px for links to vehicles and searches in chats and social networks, which show no SVG. */
export function shareRoutes(deps: ShareDeps): Router {
  const router = Router();
  const pictureFor = createShareCards(deps);
  const codes = /^[A-Z0-9_]{1,40}$/;
  const cardOf = async (kind: string, name: string): Promise<ShareCard | undefined> => {
    if (kind === 'vehicles') return await vehicleCard(name, deps);
    const parts = name === 'all' ? [] : name.split('.');
    const isSearch = kind === 'searches' && parts.length <= 2 && parts.every((part) => codes.test(part));
    return isSearch ? await searchCard(parts, deps) : undefined;
  };
  router.get('/pictures/share/:kind/:name.jpg', async (request, response) => {
    const { kind, name } = request.params;
    const card = await cardOf(kind, name);
    if (!card) throw new ApiError(404, 'PICTURE_NOT_FOUND', 'Picture not found');
    const picture = await pictureFor(request.path, card);
    response
      .set({ 'Cache-Control': ONE_HOUR, 'Cross-Origin-Resource-Policy': 'cross-origin' })
      .type('image/jpeg')
      .send(Buffer.from(picture));
  });
  return router;
}
