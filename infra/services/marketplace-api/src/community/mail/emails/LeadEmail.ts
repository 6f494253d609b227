import { Email, EmailLink, Lines, Note, Paragraph, Quote } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';

/** A message or an offer to a seller. */
export function LeadEmail({
  siteName,
  greeting,
  about,
  comments,
  facts,
  listing,
  person,
  note,
}: {
  readonly siteName: string;
  readonly greeting: string;
  /** 'Ada Byron asked about 2021 Ford F-150' */
  readonly about: string;
  readonly comments: string;
  /** Lines about the vehicle and the offer. */
  readonly facts: readonly string[];
  /** The vehicle's page; a message may be about none. */
  readonly listing: { readonly name: string; readonly href: string } | undefined;
  /** Lines about the sender. */
  readonly person: readonly string[];
  readonly note: string;
}): ReactNode {
  const link =
    listing &&
    createElement('span', null, 'Listing: ', createElement(EmailLink, { href: listing.href }, listing.name));
  const lines = [...facts, ...(link ? [link] : [])];
  return createElement(
    Email,
    { siteName, heading: about, preview: comments, notes: createElement(Note, null, note) },
    createElement(Paragraph, null, greeting),
    createElement(Paragraph, null, `${about}:`),
    createElement(Quote, null, comments || '(no message)'),
    lines.length > 0 && createElement(Lines, { lines }),
    createElement(Lines, { lines: person }),
  );
}
