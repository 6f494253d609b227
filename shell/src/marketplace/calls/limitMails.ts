import type { CallName } from '@forecourt/upstream/calls';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { isRead, limited, refuseWrite } from '../../engine/http/clientLimits.ts';

const HOUR_MS = 3_600_000;

/** Emails per network and hour: ten shoppers behind one address, each of whom writes to ten sellers. */
const MAILS_PER_HOUR = 100;
/** Calls that email somebody. */
const MAIL_CALLS: ReadonlySet<string> = new Set<CallName>([
  'emailOwner',
  'makeOffer',
  'shareListing',
  'reportListing',
  'emailCapture',
  'subscribeAlert',
]);

/** Limits the calls of a network that email somebody. Addresses and accounts have budgets of their own in the API. */
export const limitMails = (
  limits: RateLimits,
  { LOCAL_MODE }: { readonly LOCAL_MODE: boolean },
): RequestHandler =>
  rateLimit({
    ...limited(limits, { name: 'mails', limit: MAILS_PER_HOUR, windowMs: HOUR_MS }),
    skip: (request) => LOCAL_MODE || isRead(request) || !MAIL_CALLS.has(String(request.params['name'])),
    handler: refuseWrite,
  });
