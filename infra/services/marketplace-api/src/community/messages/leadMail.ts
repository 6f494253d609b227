import { formatNumber } from '@forecourt/search/format';
import { renderEmail } from '@forecourt/service-kit/email';
import { XMLBuilder } from 'fast-xml-parser';
import { createElement } from 'react';
import { type StockListing, type StockOwner, vehicleName } from '../../domain/stock.ts';
import { LeadEmail } from '../mail/emails/LeadEmail.ts';
import { vehicleUrl } from '../mail/emails/VehicleLines.ts';
import type { Mail } from '../people/mailStore.ts';
import type { StoredLead } from '../people/messageStore.ts';

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
  ].filter((fact) => typeof fact === 'string' && fact !== '') as string[];
  const person = [
    `Name: ${name}`,
    `Email: ${fromEmailAddress}`,
    ...(phoneNumber ? [`Phone: ${phoneNumber}`] : []),
  ];
  const email = createElement(LeadEmail, {
    siteName: source,
    greeting: isDealer ? `Hello ${owner.name},` : 'Hello,',
    about: `${name} ${what} ${vehicle}`,
    ...{ comments, facts, person },
    listing: listing && { name: vehicle, href: vehicleUrl(siteUrl, listing.id) },
    note:
      `Reply to this email to reach ${oneLine(firstName)}.` +
      (isDealer ? ' The attached lead.xml has the same content in ADF 1.0 for your lead system.' : ''),
  });
  return {
    to: context.to,
    replyTo: fromEmailAddress,
    subject: oneLine(`${name} ${what} ${vehicle}`),
    ...renderEmail(email),
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
