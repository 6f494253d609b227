import { Router } from 'express';
import type { ZipDirectory } from '../places/zips.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

/** ZIP codes change a few times a year. */
const ONE_DAY = 'public, max-age=86400';

/** Small calls of the page itself: ZIP lookup (AMB-182), where detail pages are (AMB-190). */
export function siteRoutes({ zips }: { zips: ZipDirectory }): Router {
  const router = Router();
  router.get('/cars-for-sale/svc/zip/:zip', (request, response) => {
    const answer = CALLS.zipLookup.response.parse(zips.lookup(request.params.zip));
    response.set('Cache-Control', ONE_DAY).json(answer);
  });
  // No brand keeps its detail pages elsewhere.
  router.get('/cars-for-sale/svc/vdp-base', (_, response) => {
    response.set('Cache-Control', ONE_DAY).json({ basePath: '/cars-for-sale/vehicle' });
  });
  return router;
}
