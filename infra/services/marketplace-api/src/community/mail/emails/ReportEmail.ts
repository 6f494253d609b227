import { Email, Paragraph, Quote } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';
import { type EmailVehicle, VehicleLines } from './VehicleLines.ts';

/** A report of a listing, for the moderators. */
export function ReportEmail({
  siteName,
  siteUrl,
  reason,
  comments,
  replyTo,
  listing,
}: {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly reason: string;
  readonly comments: string;
  readonly replyTo: string | undefined;
  readonly listing: EmailVehicle;
}): ReactNode {
  return createElement(
    Email,
    {
      siteName,
      heading: `Report: ${reason}`,
      preview: `Listing ${listing.id} of seller ${listing.ownerId}.`,
    },
    createElement(
      Paragraph,
      null,
      `A visitor reported listing ${listing.id} of seller ${listing.ownerId}: ${reason}.`,
    ),
    createElement(VehicleLines, { listing, siteUrl }),
    createElement(Quote, null, comments || '(no comment)'),
    replyTo && createElement(Paragraph, null, `Reply to: ${replyTo}`),
  );
}
