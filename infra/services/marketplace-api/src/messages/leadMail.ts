import { withThousands } from '@forecourt/shared-contracts/catalog';
import { type StockListing, type StockOwner, vehicleName } from '../domain/stock.ts';
import type { Mail } from '../people/mailStore.ts';
import { adfOf } from './adf.ts';
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

/** A readable lead, with ADF attached for the seller's lead system. */
export function leadMail(lead: StoredLead, context: LeadMailContext): Mail {
  const { listing, owner, siteUrl, source } = context;
  const { firstName, lastName, fromEmailAddress, phoneNumber, comments, offerAmount } = lead.body;
  const name = oneLine(`${firstName} ${lastName}`);
  const vehicle = listing ? vehicleName(listing) : 'one of your vehicles';
  const what = lead.kind === 'make-offer' ? 'made an offer on' : 'asked about';
  const facts = [
    listing && `Vehicle: ${vehicle}`,
    listing && `VIN: ${listing.vin}`,
    listing?.stockNumber && `Stock number: ${listing.stockNumber}`,
    offerAmount !== undefined && `Offer: $${withThousands(offerAmount)}`,
    listing && `Listing: ${siteUrl}/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`,
  ];
  const person = [`Name: ${name}`, `Email: ${fromEmailAddress}`, phoneNumber && `Phone: ${phoneNumber}`];
  return {
    to: context.to,
    replyTo: fromEmailAddress,
    subject: oneLine(`${name} ${what} ${vehicle}`),
    text: [
      `Hello ${owner.name},`,
      `${name} ${what} ${vehicle}:`,
      comments || '(no message)',
      facts.filter(Boolean).join('\n'),
      person.filter(Boolean).join('\n'),
      `Reply to this email to reach ${oneLine(firstName)}. The attached lead.xml has the same content in ADF 1.0 for your lead system.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    attachments: [
      {
        filename: 'lead.xml',
        contentType: 'application/x-adf+xml',
        content: adfOf(lead, listing, owner, source),
      },
    ],
  };
}

/** Relay domain of private sellers, whose own addresses stay private. */
const PRIVATE_SELLERS = 'sellers.example';

/**
 * Address for a seller's messages: the configured address for all leads, else
 * the leads mailbox of the dealer's own domain.
 */
export function recipientOf(owner: StockOwner, forAll?: string): string {
  if (forAll !== undefined) return forAll;
  const host = owner.sellerType === 'd' && owner.website && URL.parse(owner.website)?.hostname;
  return host ? `leads@${host.replace(/^www\./, '')}` : `seller-${owner.id}@${PRIVATE_SELLERS}`;
}
