import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAKE_OFFER_VERSION } from '@forecourt/shared-contracts/rules';
import { Router } from 'express';
import type { StockOwner } from '../domain/stock.ts';
import { ApiError } from '../http/apiError.ts';
import { cacheable, ONE_HOUR } from '../http/caching.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { certifiedContents, certifiedSponsor } from './certified.ts';
import { dealerDiffHtml, dealerDiffOf } from './dealerDiff.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface ContentRouteDeps {
  readonly store: ListingStore;
  /** Folder of dealers' own HTML files. */
  readonly dealerDiffFolder?: string;
}

/** Certified programs (B7-CERT-01, AMB-187), dealer difference (AMB-188), the make-offer script (AMB-196). */
export function contentRoutes({ store, dealerDiffFolder }: ContentRouteDeps): Router {
  const router = Router();
  const makeOffer = readFileSync(join(import.meta.dirname, 'makeOffer', 'make-offer.js'));
  const programs = certifiedContents();
  const kept = cacheable(ONE_HOUR);
  const nothing = () => new ApiError(404, 'CONTENT_NOT_FOUND', 'There is no such content');
  const ownerOf = (id: string): StockOwner => {
    const owner = store.owners([id]).get(id);
    if (!owner) throw nothing();
    return owner;
  };

  router.get('/content/static/json/atc/cpo/certifiedcontent.json', kept, (_, response) => {
    response.json(programs);
  });
  router.get('/content/static/json/atc/cpo/sponsor/:productId.json', kept, (request, response) => {
    const sponsor = certifiedSponsor(request.params.productId);
    if (!sponsor) throw nothing();
    response.json(sponsor);
  });
  router.get('/content/dealer_diff/:contentId.json', kept, (request, response) => {
    const diff = dealerDiffOf(ownerOf(request.params.contentId));
    if (!diff) throw nothing();
    response.json(diff);
  });
  router.get('/content/dealer_diff/:contentId.html', kept, async (request, response) => {
    const html = await dealerDiffHtml(ownerOf(request.params.contentId), dealerDiffFolder);
    if (html === undefined) throw nothing();
    response.type('html').send(html);
  });
  router.get('/static/make-offer/:version/make-offer.js', (request, response) => {
    if (request.params.version !== MAKE_OFFER_VERSION) throw nothing();
    response.set('Cache-Control', IMMUTABLE).type('text/javascript').send(makeOffer);
  });
  return router;
}
