import type { CertifiedContent, CertifiedSponsor } from '../../domain/callTypes.ts';
import { cacheable, noStore, ONE_HOUR, queryOf } from '../../http/requests.ts';
import { MAKE_OFFER_VERSION } from '@forecourt/shared-contracts/rules';
import { type Request, Router } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StockOwner } from '../../domain/stock.ts';
import { ApiError } from '../../http/middleware.ts';
import type { Read } from '../../http/reads.ts';
import type { ListingStore } from '../../inventory/store/listingStore.ts';
import { dealerDiffHtml, dealerDiffOf, sanitize } from './dealerDiff.ts';
import type { PictureSource } from './pictureRoutes.ts';
import type { Awaitable, ListingIndex } from '../listingIndex/listingIndex.ts';
import { type Catalog, EMPTY_CATALOG } from '../../domain/catalog.ts';
import type { ResearchSource } from './researchRoutes.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A certified pre-owned program of a maker or of a third party. */
export interface CertifiedProgram {
  /** As listings name it in `certifiedProduct`. */
  readonly productId: string;
  readonly makeCode: string;
  readonly makeLabel: string;
  readonly heading: string;
  /** HTML; sanitized before it is sent. */
  readonly content: string;
  /** Image paths. */
  readonly tile: string;
  readonly logo: string;
  readonly inspectionLink?: string;
}

/** A program as the page lists it (B3-CERT-01, AMB-154). */
const presentProgram = (program: CertifiedProgram): CertifiedContent => ({
  makeCode: program.makeCode,
  productId: program.productId,
  linkText: `About ${program.heading}`,
  cpoTile: program.tile,
  makeLabel: program.makeLabel,
  heading: program.heading,
  content: sanitize(program.content),
});

/** A program's sponsor (AMB-187); the page drops the inspection link. */
const presentSponsor = (program: CertifiedProgram): CertifiedSponsor & { inspectionLink?: string } => ({
  productId: program.productId,
  heading: program.heading,
  content: sanitize(program.content),
  logo: program.logo,
  inspectionLink: program.inspectionLink,
});

interface ContentRouteDeps {
  readonly store: ListingStore;
  readonly pictures: PictureSource;
  /** Folder of the dealers' own HTML files. */
  readonly dealerDiffFolder?: string;
}

const notFound = () => new ApiError(404, 'CONTENT_NOT_FOUND', 'Content not found');

/** Certified programs (B7-CERT-01) and their sponsors (B7-CERT-02). */
export function certifiedReads(certifiedPrograms: readonly CertifiedProgram[]): Read[] {
  const programs = certifiedPrograms.map(presentProgram);
  return [
    {
      path: '/content/static/json/atc/cpo/certifiedcontent.json',
      control: ONE_HOUR,
      read: () => programs,
    },
    {
      path: '/content/static/json/atc/cpo/sponsor/:file',
      control: ONE_HOUR,
      read({ params }) {
        const program = certifiedPrograms.find(({ productId }) => `${productId}.json` === params['file']);
        if (!program) throw notFound();
        return presentSponsor(program);
      },
    },
  ];
}

/** Dealer difference (AMB-188) and the make-offer script (AMB-196). */
export function contentRoutes(deps: ContentRouteDeps): Router {
  const { store, pictures, dealerDiffFolder } = deps;
  const router = Router();
  const makeOffer = readFileSync(join(import.meta.dirname, 'makeOffer', 'make-offer.js'));
  const cached = cacheable(ONE_HOUR);
  const ownerOf = (id: string): StockOwner => {
    const owner = store.owners([id]).get(id);
    if (!owner) throw notFound();
    return owner;
  };

  router.get('/content/dealer_diff/:contentId.json', cached, (request, response) => {
    const diff = dealerDiffOf(ownerOf(request.params.contentId), pictures);
    if (!diff) throw notFound();
    response.json(diff);
  });
  router.get('/content/dealer_diff/:contentId.html', cached, async (request, response) => {
    const html = await dealerDiffHtml(ownerOf(request.params.contentId), dealerDiffFolder);
    if (html === undefined) throw notFound();
    response.type('html').send(html);
  });
  router.get('/static/make-offer/:version/make-offer.js', (request, response) => {
    if (request.params.version !== MAKE_OFFER_VERSION) throw notFound();
    response.set('Cache-Control', IMMUTABLE).type('text/javascript').send(makeOffer);
  });
  return router;
}

/** Sizes in px in which ads exist. */
export const AD_SIZES = [
  '320x50',
  '300x250',
  '300x600',
  '728x90',
  '970x90',
  '970x250',
  '640x480',
  // Leaderboards fill the height reserved for them (B9-HEIGHT-02, B9-HEIGHT-03).
  '320x100',
  '728x167',
  '970x222',
  '320x367',
  '728x367',
  '970x499',
] as const;
export type AdSize = (typeof AD_SIZES)[number];

/** Values of the search that an ad may target, as the page names them (A1-ADS-01). */
export interface AdTargeting {
  readonly make?: string;
  readonly model?: string;
  readonly style?: string;
  readonly condition?: string;
  readonly zip?: string;
  readonly page?: string;
}

export interface AdRequest {
  readonly slot: string;
  /** px. */
  readonly size: { readonly width: number; readonly height: number };
  readonly targeting: AdTargeting;
  /** How often the slot was refreshed. */
  readonly refresh: number;
}

export interface Ad {
  readonly advertiser: string;
  /** A complete HTML document. */
  readonly html: string;
}

/** Chooses the ad for a slot; the same request gets the same ad. */
export interface AdSource {
  choose(request: AdRequest, index: Pick<ListingIndex, 'count'>): Awaitable<Ad | undefined>;
}

/** A creative may open its page on a click and nothing else: no scripts, no requests. */
const CREATIVE_CSP =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const MAX_SLOT_LENGTH = 60;
const MAX_VALUE_LENGTH = 200;
const TARGETING = ['make', 'model', 'style', 'condition', 'zip', 'page'] as const;

/** Undefined for a slot without a name or of an unknown size. */
function readRequest(request: Request): AdRequest | undefined {
  const params = queryOf(request);
  const slot = (params.get('slot') ?? '').slice(0, MAX_SLOT_LENGTH);
  const size = AD_SIZES.find((candidate) => candidate === params.get('size'));
  if (!slot || !size) return undefined;
  const targeting: AdTargeting = Object.fromEntries(
    TARGETING.flatMap((name) => {
      const value = params.get(`t.${name}`)?.slice(0, MAX_VALUE_LENGTH);
      return value ? [[name, value]] : [];
    }),
  );
  const refresh = /^\d{1,4}$/.test(params.get('n') ?? '') ? Number(params.get('n')) : 0;
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { slot, size: { width, height }, targeting, refresh };
}

/**
 * The ad service (B7-ADS-01, AMB-193). The creative is also a document of its
 * own, under a policy that sandboxes it.
 */
export function adRoutes({ index, ads }: { index: ListingIndex; ads: AdSource }): Router {
  const router = Router();
  router.get('/ads/slot', noStore, async (request, response) => {
    const ad = readRequest(request);
    const chosen = ad && (await ads.choose(ad, index));
    if (!chosen) {
      response.json({ empty: true });
      return;
    }
    response.json({
      html: chosen.html,
      src: `/ads/creative?${queryOf(request)}`,
      ...ad.size,
      advertiser: chosen.advertiser,
    });
  });
  router.get('/ads/creative', noStore, async (request, response) => {
    const ad = readRequest(request);
    const chosen = ad && (await ads.choose(ad, index));
    if (!chosen) throw new ApiError(404, 'AD_NOT_FOUND', 'There is no ad for this slot');
    response.set('Content-Security-Policy', CREATIVE_CSP).type('html').send(chosen.html);
  });
  return router;
}

/** Content beside the listings. The demo data implements all of it; without it the service runs on its listings alone. */
export interface ContentSources {
  readonly catalog: Catalog;
  readonly pictures: PictureSource;
  readonly research: ResearchSource;
  readonly ads: AdSource;
  readonly certifiedPrograms: readonly CertifiedProgram[];
}

/** No catalog, pictures, research or ads: each call returns its empty result or 404. */
export const NO_CONTENT: ContentSources = {
  catalog: EMPTY_CATALOG,
  pictures: {
    gallery: () => [],
    spinFrames: () => [],
    tile: () => undefined,
    logo: () => undefined,
    render: () => undefined,
  },
  research: {
    vehicles: () => [],
    consumerRatings: () => undefined,
    safety: () => undefined,
    specs: () => undefined,
    articles: () => [],
  },
  ads: { choose: () => undefined },
  certifiedPrograms: [],
};
