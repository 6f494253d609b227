import { type Request, Router } from 'express';
import { ApiError } from '../../http/middleware.ts';
import { noStore, queryOf } from '../../http/requests.ts';
import type { Awaitable, ListingIndex } from '../listingIndex/listingIndex.ts';

/** Sizes in px in which ads exist. */
export const AD_SIZES = [
  '320x50',
  '300x250',
  '300x600',
  '728x90',
  '970x90',
  '970x250',
  '640x480',
  // Leaderboards fill the height reserved for them.
  '320x100',
  '728x167',
  '970x222',
  '320x367',
  '728x367',
  '970x499',
] as const;
export type AdSize = (typeof AD_SIZES)[number];

/** Values of the search that an ad may target, as the page names them. */
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

/** The ad service. The creative is also a document of its own, under a policy that sandboxes it. */
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
