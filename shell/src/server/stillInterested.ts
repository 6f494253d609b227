import type { RequestHandler } from 'express';
import type { ShellDeps } from './deps.ts';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';
import { isSameOrigin } from './sameOrigin.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

/** What a browser may say of it; who the visitor is, the shell knows. */
const beaconSchema = CALLS.stillInterested.body.omit({ consumer_id: true, brand: true });

/** `POST /cars-for-sale/still-interested/alert` (B7-STILL-01): a beacon, which carries no headers of its own. */
export const stillInterested =
  ({ gateway }: Pick<ShellDeps, 'gateway'>): RequestHandler =>
  (request, response) => {
    const { requestId, visitor, callContext } = infoOf(request);
    if (!isSameOrigin(request))
      return sendError(response, 403, 'CROSS_ORIGIN', 'writes come from this site only', requestId);
    const beacon = beaconSchema.safeParse(request.body);
    if (!beacon.success) return sendError(response, 400, 'INVALID_BODY', 'not such a beacon', requestId);
    const body = {
      ...beacon.data,
      brand: visitor.session.brand,
      consumer_id: visitor.pixallId ?? visitor.id,
    };
    // As with page events, nobody waits.
    void gateway.call('stillInterested', {}, { ...callContext, signal: undefined, body }).catch(() => {});
    return response.status(204).end();
  };
