import { zipLookupSchema } from '@forecourt/shared-contracts/entities';
import { Router, text } from 'express';
import type { ZipDirectory } from '../places/zips.ts';

/** ZIP codes change a few times a year. */
const ONE_DAY = 'public, max-age=86400';

/** Small calls of the page itself: ZIP lookup (AMB-182), page events (AMB-191). */
export function siteRoutes({ zips }: { zips: ZipDirectory }): Router {
  const router = Router();
  router.get('/cars-for-sale/svc/zip/:zip', (request, response) => {
    const answer = zipLookupSchema.parse(zips.lookup(request.params.zip));
    response.set('Cache-Control', ONE_DAY).json(answer);
  });
  // sendBeacon sends text; nothing in it is needed to answer.
  router.post('/cars-for-sale/svc/page-event', text({ type: () => true, limit: '64kb' }), (_, response) => {
    response.status(204).end();
  });
  return router;
}
