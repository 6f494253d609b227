import { Action, Email, EmailLink, Note, Paragraph } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';
import { type EmailVehicle, VehicleLines } from './VehicleLines.ts';

/** The first few new matches of a search, and a link to all. */
export function DigestEmail({
  siteName,
  siteUrl,
  title,
  matches,
  listings,
  resultsUrl,
  unsubscribeUrl,
}: {
  readonly siteName: string;
  readonly siteUrl: string;
  /** Name of the search. */
  readonly title: string;
  /** '3 new matches' */
  readonly matches: string;
  readonly listings: readonly EmailVehicle[];
  readonly resultsUrl: string;
  readonly unsubscribeUrl: string;
}): ReactNode {
  return createElement(
    Email,
    {
      siteName,
      heading: matches,
      preview: `For your search "${title}".`,
      notes: createElement(
        Note,
        null,
        'Unsubscribe from this search: ',
        createElement(EmailLink, { href: unsubscribeUrl }, 'unsubscribe'),
      ),
    },
    createElement(Paragraph, null, `${matches} for your search "${title}":`),
    listings.map((listing) => createElement(VehicleLines, { key: listing.id, listing, siteUrl })),
    createElement(Action, { href: resultsUrl, label: 'See all matches' }),
  );
}
