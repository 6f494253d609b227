import { emailOwnerSchema } from '@forecourt/shared-contracts/entities';
import { Router, json } from 'express';
import { ApiError } from '../http/apiError.ts';
import type { ListingStore } from '../store/listingStore.ts';
import type { LeadStore } from './leadStore.ts';

/** Bytes; the longest form is a tenth of it. */
const MAX_BODY = '16kb';

/** Email-owner sender (A7-OTHER-03, AMB-180). The list of what was sent exists in local mode only. */
export function leadRoutes(deps: { leads: LeadStore; store: ListingStore; isLocal: boolean }): Router {
  const router = Router();

  router.post('/cars-for-sale/svc/email-owner', json({ limit: MAX_BODY }), (request, response) => {
    const read = emailOwnerSchema.safeParse(request.body);
    if (!read.success) {
      const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      throw new ApiError(400, 'INVALID_BODY', problems.join('; '));
    }
    const { idempotencyKey, listingId, ownerId, ...body } = read.data;
    if (!deps.store.owners([ownerId]).has(ownerId))
      throw new ApiError(404, 'OWNER_NOT_FOUND', 'There is no such seller');
    deps.leads.add({ idempotencyKey, kind: 'email-owner', listingId, ownerId, body });
    response.set('Cache-Control', 'no-store').json({ status: 'SUCCESS' });
  });

  if (deps.isLocal) {
    router.get('/cars-for-sale/svc/leads', (_, response) => {
      response.set('Cache-Control', 'no-store').json({ leads: deps.leads.all() });
    });
  }
  return router;
}
