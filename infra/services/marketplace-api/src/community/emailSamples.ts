import { type EmailSample, renderEmail } from '@forecourt/service-kit/email';
import { createElement } from 'react';
import { confirmAlertMail, digestMail, welcomeMail } from './alerts/alertMails.ts';
import { captureMail, type MailContext, reportMail, shareMail } from './messages/contactRoutes.ts';
import type { Mail } from './people/mailStore.ts';
import type { Alert } from './people/subscriptionStore.ts';
import { LeadEmail } from './mail/emails/LeadEmail.ts';
import { type EmailVehicle, vehicleUrl } from './mail/emails/VehicleLines.ts';

const TO = 'ada@example.com';
const TOKEN = 'a-sample-of-a-token';

const vehicle = (id: string, trim: string, salePrice: number | undefined): EmailVehicle => ({
  ...{ id, ownerId: 'dealer-1', year: 2021, mileage: 31_000 },
  make: { code: 'FORD', name: 'Ford' },
  model: { code: 'F150', name: 'F-150' },
  trim: { code: trim, name: trim },
  ...(salePrice !== undefined && { salePrice }),
});
const VEHICLES = [
  vehicle('1000001', 'XLT', 38_000),
  vehicle('1000002', 'Lariat SuperCrew 5.5 ft box, long name', 51_250),
  vehicle('1000003', 'Raptor', undefined),
];

const ALERT: Alert = {
  ...{ alertId: '1', emailAddress: TO, brand: 'atc', createdAt: 0 },
  ...{ search: 'makeCode=FORD&zip=60601', title: 'Ford F-150s near Chicago, IL under $55,000' },
  ...{ frequency: 'daily' },
  ...{ unsubscribeToken: TOKEN, seenRow: 0, inventory: null, lastRunAt: 0 },
};

const sampleOf = ({ subject, text, html = '' }: Mail): EmailSample => ({ subject, text, html });

/** Each email of the community with made-up content. */
export function emailSamples(context: MailContext): Record<string, EmailSample> {
  const { siteName, siteUrl } = context;
  const [first] = VEHICLES as [EmailVehicle];
  const report = {
    listingId: first.id,
    reason: 'SOLD',
    comments: 'They told me\nthat it is sold.',
    email: TO,
  } as const;
  const about = 'Ada Byron asked about 2021 Ford F-150 XLT';
  const lead = createElement(LeadEmail, {
    ...{ siteName, about, greeting: 'Hello Lake Motors,' },
    comments: 'Is it still there?\n\nI could come by on Saturday.',
    facts: ['Vehicle: 2021 Ford F-150 XLT', 'VIN: 1FTFW1E50MFA00001', 'Offer: $35,500'],
    listing: { name: '2021 Ford F-150 XLT', href: vehicleUrl(siteUrl, first.id) },
    person: ['Name: Ada Byron', `Email: ${TO}`, 'Phone: 312-555-0101'],
    note: 'Reply to this email to reach Ada.',
  });
  return {
    confirm: sampleOf(confirmAlertMail(ALERT, context)),
    welcome: sampleOf(welcomeMail(ALERT, context)),
    digest: sampleOf(digestMail(ALERT, { total: 17, listings: VEHICLES }, context)),
    capture: sampleOf(captureMail({ email: TO, brand: 'atc', unsubscribeToken: TOKEN }, context)),
    share: sampleOf(shareMail('bob@example.com', TO, first, { ...context, optOutToken: TOKEN })),
    report: sampleOf(reportMail(report, first, TO, context)),
    lead: { subject: about, ...renderEmail(lead) },
  };
}
