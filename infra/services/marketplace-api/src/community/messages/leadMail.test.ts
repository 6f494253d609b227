import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { adfOf, leadMail } from './leadMail.ts';
import type { LeadBody, StoredLead } from '../people/messageStore.ts';

const lead = (body: Partial<LeadBody> = {}): StoredLead => ({
  id: 7,
  idempotencyKey: 'k',
  kind: 'email-owner',
  listingId: '1000001',
  ownerId: 'o1',
  receivedAt: Date.UTC(2026, 10, 1, 12, 30),
  body: {
    comments: 'Is it there?',
    firstName: 'Ada',
    lastName: 'Byron',
    fromEmailAddress: 'ada@example.com',
    phoneNumber: '',
    ...body,
  },
});
const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, trimValues: false });
interface Parsed {
  adf: {
    prospect: { vehicle: Record<string, unknown>; customer: { comments: string }; requestdate: string };
  };
}
const parse = (xml: string) => (parser.parse(xml) as Parsed).adf.prospect;

describe('a lead in ADF', () => {
  it('includes vehicle, customer and vendor in the ADF document of a lead', () => {
    const xml = adfOf(lead({ phoneNumber: '312-555-0101' }), aListing(), anOwner(), 'Forecourt');
    expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<?ADF VERSION="1.0"?>\n<adf>')).toBe(true);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(parse(xml)).toMatchObject({
      requestdate: '2026-11-01T12:30:00+00:00',
      vehicle: { year: '2021', make: 'Ford', model: 'F150', vin: '1FTFW1E50MFA00001', '@_status': 'used' },
      customer: { contact: { email: { '#text': 'ada@example.com' }, phone: { '#text': '312-555-0101' } } },
      vendor: { vendorname: 'Lake Motors' },
    });
  });

  it('includes an offer in addition to the asking price in ADF', () => {
    const { vehicle } = parse(adfOf(lead({ offerAmount: 35_500 }), aListing(), anOwner(), 'Forecourt'));
    expect(vehicle['price']).toMatchObject([
      { '@_type': 'asking', '#text': '38000' },
      { '@_type': 'offer', '#text': '35500' },
    ]);
  });

  it('produces well-formed, lossless ADF for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (comments) => {
        const xml = adfOf(lead({ comments }), aListing(), anOwner(), 'Forecourt');
        expect(XMLValidator.validate(xml)).toBe(true);
        expect(xml.isWellFormed()).toBe(true);
      }),
    );
    const text = `<script>&"'</comments>`;
    expect(parse(adfOf(lead({ comments: text }), aListing(), anOwner(), 'F')).customer.comments).toBe(text);
  });
});

describe('the mail of a lead', () => {
  const context = {
    listing: aListing(),
    owner: anOwner(),
    to: 'leads@dealer.test',
    siteUrl: 'https://site.test',
    source: 'Forecourt',
  };

  it("contains the shopper's message, sets Reply-To to the shopper and attaches ADF", () => {
    const mail = leadMail(lead(), context);
    expect(mail).toMatchObject({
      to: 'leads@dealer.test',
      replyTo: 'ada@example.com',
      subject: 'Ada Byron asked about 2021 Ford F150 XLT',
    });
    expect(mail.text).toContain('Is it there?');
    expect(mail.text).toContain('https://site.test/cars-for-sale/vehicle/1000001');
    expect(mail.attachments).toMatchObject([{ filename: 'lead.xml', contentType: 'application/x-adf+xml' }]);
  });

  it("writes to a private seller without dealers' words, ADF or stock number", () => {
    const owner = anOwner({ sellerType: 'p', name: 'Private Seller' });
    const mail = leadMail(lead(), { ...context, listing: aListing({ stockNumber: 'A12' }), owner });
    expect(mail).not.toHaveProperty('attachments');
    expect(mail.text).toMatch(/^Hello,\n\nAda Byron asked about 2021 Ford F150 XLT:/);
    expect(mail.text).not.toMatch(/private seller|stock|adf|lead/i);
  });

  it('strips line breaks from names to prevent header injection', () => {
    const { subject } = leadMail(lead({ firstName: 'Ada\r\nBcc: all@example.com' }), context);
    expect(subject).not.toMatch(/[\r\n]/);
  });
});
