import type { Request } from 'express';
import { Router } from 'express';
import { ApiError } from '../http/apiError.ts';
import { noStore } from '../http/caching.ts';
import { queryOf } from '../http/query.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import { chooseCampaign, type AdTargeting } from './campaigns.ts';
import { AD_SIZES, CREATIVE_CSP, creativeHtml, dimensionsOf } from './creative.ts';

const MAX_SLOT = 60;
const TARGETING = ['make', 'model', 'style', 'condition', 'zip', 'page'] as const;

function readRequest(request: Request) {
  const params = queryOf(request);
  const slot = (params.get('slot') ?? '').slice(0, MAX_SLOT);
  const size = AD_SIZES.find((known) => known === params.get('size'));
  const targeting: AdTargeting = Object.fromEntries(
    TARGETING.flatMap((name) => {
      const value = params.get(`t.${name}`)?.slice(0, 200);
      return value ? [[name, value]] : [];
    }),
  );
  const refresh = /^\d{1,4}$/.test(params.get('n') ?? '') ? Number(params.get('n')) : 0;
  return { slot, size, targeting, refresh };
}

/**
 * The ad service (B7-ADS-01, AMB-193): an ad that fits the search, or none for
 * a slot without a name or of a size that nobody made one in. The creative is
 * also a document at an address of its own, under a policy that sandboxes it.
 */
export function adRoutes({ index }: { index: ListingIndex }): Router {
  const router = Router();
  router.get('/ads/slot', noStore, (request, response) => {
    const { slot, size, targeting, refresh } = readRequest(request);
    if (!slot || !size) {
      response.json({ empty: true });
      return;
    }
    const campaign = chooseCampaign(slot, targeting, refresh, index);
    response.json({
      html: creativeHtml(campaign, size),
      src: `/ads/creative?${queryOf(request)}`,
      ...dimensionsOf(size),
      advertiser: campaign.advertiser,
    });
  });
  router.get('/ads/creative', noStore, (request, response) => {
    const { slot, size, targeting, refresh } = readRequest(request);
    if (!slot || !size) throw new ApiError(404, 'AD_NOT_FOUND', 'There is no ad for this slot');
    const html = creativeHtml(chooseCampaign(slot, targeting, refresh, index), size);
    response.set('Content-Security-Policy', CREATIVE_CSP).type('html').send(html);
  });
  return router;
}
