import { CALLS } from '@forecourt/upstream/calls';
import { emailOwnerSchema, makeOfferSchema } from '@forecourt/upstream/entities';
import type { EmailOwner, MakeOffer } from '../../domain/callTypes.ts';
import { formBody, noStore, readBody } from '../../http/requests.ts';
import { type Request, Router } from 'express';
import type { ActivityStore } from '../activity/activityStore.ts';
import { ApiError } from '../../http/middleware.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../../inventory/index.ts';
import type { LeadKind } from '../people/messageStore.ts';
import { leadMail } from './leadMail.ts';
import type { StockOwner } from '../../domain/stock.ts';

/** Relay domain of private sellers, whose own addresses stay private. */
const PRIVATE_SELLERS = 'sellers.example';

/**
 * Address for a seller's messages: the configured address for all leads, else
 * the leads mailbox of the dealer's own domain.
 */
function recipientOf(owner: StockOwner, forAll?: string): string {
  if (forAll !== undefined) return forAll;
  const host = owner.sellerType === 'd' && owner.website && URL.parse(owner.website)?.hostname;
  return host ? `leads@${host.replace(/^www\./, '')}` : `seller-${owner.id}@${PRIVATE_SELLERS}`;
}

/** Lead candidates per response. */
const MAX_CANDIDATES = 10;

export interface LeadRouteDeps {
  readonly people: People;
  readonly activity: ActivityStore;
  readonly callers: Callers;
  readonly store: ListingStore;
  /** Origin of the site, for links in mails. */
  readonly siteUrl: string;
  readonly siteName: string;
  /** One address for all leads, instead of the sellers' own. */
  readonly leadRecipient?: string;
  readonly isLocal: boolean;
}

/**
 * Messages to sellers and shoppers' contact details. A lead and its email are stored in one transaction; the email is
 * sent later.
 */
export function leadRoutes(deps: LeadRouteDeps): Router {
  const { people, activity, callers, store, siteUrl, siteName } = deps;
  const router = Router();

  async function take(kind: LeadKind, request: Request, form: EmailOwner | MakeOffer): Promise<void> {
    const { idempotencyKey, listingId, ownerId, ...body } = form;
    const owner = (await store.owners([ownerId])).get(ownerId);
    if (!owner) throw new ApiError(404, 'OWNER_NOT_FOUND', 'Seller not found');
    const [listing] = await store.listings([listingId]);
    if (listing && listing.ownerId !== ownerId)
      throw new ApiError(409, 'OWNER_MISMATCH', 'The vehicle belongs to another seller');
    const caller = await callers.visitor(request);
    await people.leads.add({ idempotencyKey, kind, listingId, ownerId, caller, body }, (lead) => {
      const to = recipientOf(owner, deps.leadRecipient);
      const mail = leadMail(lead, { listing, owner, to, siteUrl, source: siteName });
      return people.mails.add('lead', mail, `lead:${lead.id}`);
    });
  }

  router.post('/cars-for-sale/svc/email-owner', noStore, formBody, async (request, response) => {
    await take('email-owner', request, readBody(emailOwnerSchema, request));
    response.json({ status: 'SUCCESS' });
  });
  router.post('/cars-for-sale/svc/make-offer', noStore, formBody, async (request, response) => {
    await take('make-offer', request, readBody(makeOfferSchema, request));
    response.json({ status: 'SUCCESS' });
  });

  router.get('/cars-for-sale/svc/lead-candidates', noStore, async (request, response) => {
    const caller = await callers.visitor(request);
    const written = await people.leads.listingIds(caller);
    const history = caller.consumer === undefined ? [] : await activity.history(caller.consumer);
    const open = history.filter(({ listingId }) => !written.has(listingId)).map(({ listingId }) => listingId);
    const candidates = (await store.listings(open)).slice(0, MAX_CANDIDATES);
    response.json({
      candidates: candidates.map(({ id, vin }) => ({ listingId: id, vin })),
      profile: await people.profiles.get(caller),
    });
  });
  router.put('/cars-for-sale/svc/lead-profile', noStore, formBody, async (request, response) => {
    const profile = readBody(CALLS.saveLeadProfile.body, request);
    const caller = await callers.visitor(request);
    if (caller.account === undefined && caller.consumer === undefined)
      throw new ApiError(400, 'NO_CALLER', 'An account or X-Consumer-Id is required');
    await people.profiles.save(caller, profile);
    response.status(204).end();
  });

  if (deps.isLocal) {
    router.get('/cars-for-sale/svc/leads', noStore, async (_, response) => {
      response.json({ leads: await people.leads.all() });
    });
  }
  return router;
}
