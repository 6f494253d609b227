import { CALLS } from '@forecourt/shared-contracts/calls';
import type { EmailOwner, MakeOffer } from '../../domain/callTypes.ts';
import { formBody, noStore, readBody } from '../../http/requests.ts';
import { emailOwnerSchema, makeOfferSchema } from '@forecourt/shared-contracts/entities';
import { type Request, Router } from 'express';
import type { ActivityStore } from '../activity/activityStore.ts';
import { ApiError } from '../../http/middleware.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../../inventory/store/listingStore.ts';
import type { LeadKind, StoredLead } from '../people/messageStore.ts';
import { formatNumber } from '@forecourt/shared-contracts/rules';
import { type StockListing, type StockOwner, vehicleName } from '../../domain/stock.ts';
import type { Mail } from '../people/mailStore.ts';
import { XMLBuilder } from 'fast-xml-parser';

export interface LeadMailContext {
  readonly listing: StockListing | undefined;
  readonly owner: StockOwner;
  /** Address of the seller. */
  readonly to: string;
  /** Origin of the site. */
  readonly siteUrl: string;
  /** Name of the site. */
  readonly source: string;
}

/** Removes line breaks, to prevent header injection. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** A readable lead. Dealers get it as ADF too, for their lead systems; a private seller gets no dealers' words. */
export function leadMail(lead: StoredLead, context: LeadMailContext): Mail {
  const { listing, owner, siteUrl, source } = context;
  const { firstName, lastName, fromEmailAddress, phoneNumber, comments, offerAmount } = lead.body;
  const isDealer = owner.sellerType === 'd';
  const name = oneLine(`${firstName} ${lastName}`);
  const vehicle = listing ? vehicleName(listing) : 'one of your vehicles';
  const what = lead.kind === 'make-offer' ? 'made an offer on' : 'asked about';
  const facts = [
    listing && `Vehicle: ${vehicle}`,
    listing && `VIN: ${listing.vin}`,
    isDealer && listing?.stockNumber && `Stock number: ${listing.stockNumber}`,
    offerAmount !== undefined && `Offer: $${formatNumber(offerAmount)}`,
    listing && `Listing: ${siteUrl}/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`,
  ];
  const person = [`Name: ${name}`, `Email: ${fromEmailAddress}`, phoneNumber && `Phone: ${phoneNumber}`];
  return {
    to: context.to,
    replyTo: fromEmailAddress,
    subject: oneLine(`${name} ${what} ${vehicle}`),
    text: [
      isDealer ? `Hello ${owner.name},` : 'Hello,',
      `${name} ${what} ${vehicle}:`,
      comments || '(no message)',
      facts.filter(Boolean).join('\n'),
      person.filter(Boolean).join('\n'),
      `Reply to this email to reach ${oneLine(firstName)}.` +
        (isDealer ? ' The attached lead.xml has the same content in ADF 1.0 for your lead system.' : ''),
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(isDealer && {
      attachments: [
        {
          filename: 'lead.xml',
          contentType: 'application/x-adf+xml',
          content: adfOf(lead, listing, owner, source),
        },
      ],
    }),
  };
}

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

/** ADF status of each condition. */
const STATUS: Readonly<Record<string, string>> = {
  NEW: 'new',
  USED: 'used',
  CERTIFIED: 'used',
  '3P_CERT': 'used',
};

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  format: true,
  processEntities: true,
  suppressEmptyNode: true,
});

/** Removes control characters and lone surrogates, which XML 1.0 cannot represent. */
const clean = (text: string) => text.toWellFormed().replace(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '');

/**
 * A lead in ADF 1.0 (Auto-lead Data Format), the format of dealers' lead
 * systems. Times are UTC.
 */
export function adfOf(
  lead: StoredLead,
  listing: StockListing | undefined,
  owner: StockOwner,
  source: string,
): string {
  const { firstName, lastName, fromEmailAddress, phoneNumber, comments, offerAmount } = lead.body;
  const price = listing?.incentive ?? listing?.salePrice ?? listing?.msrp;
  const vehicle = listing && {
    '@interest': 'buy',
    '@status': STATUS[listing.listingType] ?? 'used',
    id: { '@source': source, '@sequence': '1', '#text': listing.id },
    year: listing.year,
    make: clean(listing.make.name),
    model: clean(listing.model.name),
    ...(listing.trim && { trim: clean(listing.trim.name) }),
    vin: listing.vin,
    ...(listing.stockNumber && { stock: clean(listing.stockNumber) }),
    ...(listing.mileage !== undefined && {
      odometer: { '@status': 'original', '@units': 'miles', '#text': listing.mileage },
    }),
    price: [
      ...(price === undefined
        ? []
        : [{ '@type': 'asking', '@currency': 'USD', '@source': source, '#text': price }]),
      ...(offerAmount === undefined ? [] : [{ '@type': 'offer', '@currency': 'USD', '#text': offerAmount }]),
    ],
  };
  const prospect = {
    '@status': 'new',
    id: { '@source': source, '@sequence': '1', '#text': lead.id },
    requestdate: new Date(lead.receivedAt).toISOString().replace(/\.\d+Z$/, '+00:00'),
    ...(vehicle && { vehicle }),
    customer: {
      contact: {
        '@primarycontact': '1',
        name: [
          { '@part': 'first', '@type': 'individual', '#text': clean(firstName) },
          { '@part': 'last', '@type': 'individual', '#text': clean(lastName) },
        ],
        email: { '@preferredcontact': phoneNumber ? '0' : '1', '#text': clean(fromEmailAddress) },
        ...(phoneNumber && { phone: { '@type': 'voice', '#text': clean(phoneNumber) } }),
      },
      comments: clean(comments),
    },
    vendor: {
      id: { '@source': source, '#text': owner.id },
      vendorname: clean(owner.name),
      contact: {
        name: { '@part': 'full', '@type': 'business', '#text': clean(owner.name) },
        ...(owner.phone && { phone: { '@type': 'voice', '#text': owner.phone } }),
        address: {
          ...(owner.address && { street: { '@line': '1', '#text': clean(owner.address) } }),
          city: owner.city,
          regioncode: owner.state,
          postalcode: owner.zip,
          country: 'US',
        },
      },
    },
    provider: { name: { '@part': 'full', '#text': source } },
  };
  const body = builder.build({ adf: { prospect } });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<?ADF VERSION="1.0"?>\n${body}`;
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
 * Messages to sellers (A7-OTHER-03, AMB-180) and shoppers' contact details
 * (A7-OTHER-02, AMB-179). A lead and its email are stored in one transaction;
 * the email is sent later.
 */
export function leadRoutes(deps: LeadRouteDeps): Router {
  const { people, activity, callers, store, siteUrl, siteName } = deps;
  const router = Router();

  async function take(kind: LeadKind, request: Request, form: EmailOwner | MakeOffer): Promise<void> {
    const { idempotencyKey, listingId, ownerId, ...body } = form;
    const owner = store.owners([ownerId]).get(ownerId);
    if (!owner) throw new ApiError(404, 'OWNER_NOT_FOUND', 'Seller not found');
    const [listing] = store.listings([listingId]);
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
    const candidates = store.listings(open).slice(0, MAX_CANDIDATES);
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
