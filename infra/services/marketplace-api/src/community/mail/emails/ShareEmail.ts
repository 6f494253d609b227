import { Email, EmailLink, Note, Paragraph } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';
import { type EmailVehicle, VehicleLines } from './VehicleLines.ts';

/** A shared vehicle. The text is the site's own: a sender's message would let anyone relay text through the site. */
export function ShareEmail({
  siteName,
  siteUrl,
  from,
  listing,
  unsubscribeUrl,
}: {
  readonly siteName: string;
  readonly siteUrl: string;
  /** The sender's verified address. */
  readonly from: string;
  readonly listing: EmailVehicle;
  readonly unsubscribeUrl: string;
}): ReactNode {
  return createElement(
    Email,
    {
      siteName,
      heading: 'A vehicle for you',
      preview: `${from} thought you might like it.`,
      notes: [
        createElement(
          Note,
          { key: 'why' },
          `You received this email because ${from} entered your address on ${siteName}. We won’t use it for anything else.`,
        ),
        createElement(
          Note,
          { key: 'unsubscribe' },
          'Never get such emails again: ',
          createElement(EmailLink, { href: unsubscribeUrl }, 'refuse emails'),
        ),
      ],
    },
    createElement(Paragraph, null, `${from} found this on ${siteName} and thought you might like it:`),
    createElement(VehicleLines, { listing, siteUrl }),
  );
}
