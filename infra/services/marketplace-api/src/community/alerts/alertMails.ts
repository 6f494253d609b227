import { decodeQuery, decodeUrl } from '@forecourt/search/decode';
import { type SearchCriteria, type SlugReference, EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { encodeUrl, filterPairs, writeQuery } from '@forecourt/search/url';
import { renderEmail } from '@forecourt/service-kit/email';
import { createElement } from 'react';
import {
  confirmMail,
  type MailContext,
  unsubscribeHeaders,
  unsubscribeUrl,
} from '../messages/contactRoutes.ts';
import { DigestEmail } from '../mail/emails/DigestEmail.ts';
import type { EmailVehicle } from '../mail/emails/VehicleLines.ts';
import { WelcomeEmail } from '../mail/emails/WelcomeEmail.ts';
import type { Mail } from '../people/mailStore.ts';
import type { Alert } from '../people/subscriptionStore.ts';

/** The canonical form of an alert's search; undefined for an address that is not a search. */
export function normalizeSearch(
  given: string,
  reference: () => SlugReference,
): { search: string; criteria: SearchCriteria } | undefined {
  const criteria = given.startsWith('/')
    ? fromAddress(given, reference())
    : decodeQuery(given.replace(/^\?/, ''));
  if (!criteria) return undefined;
  const { filters, experience } = criteria;
  const pairs = [...filterPairs(filters), ...(experience ? [['experience', experience] as const] : [])];
  return { search: writeQuery(pairs), criteria };
}

function fromAddress(address: string, reference: SlugReference): SearchCriteria | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const decoded = decodeUrl(pathname, searchParams, reference);
  return decoded.kind === 'notFound' ? undefined : decoded.criteria;
}

/** Path and query of the results page of a stored search, newest listings first. */
const resultsPath = (search: string, reference: SlugReference = EMPTY_SLUG_REFERENCE): string =>
  encodeUrl({ ...decodeQuery(search), sortBy: 'datelistedDESC' }, reference);

const linkOf = (alert: Alert, { siteUrl }: MailContext) => siteUrl + resultsPath(alert.search);
/** Asks for the confirmation of a subscription. */
export const confirmAlertMail = (
  { emailAddress, title, unsubscribeToken }: Alert,
  context: MailContext,
): Mail => confirmMail({ to: emailAddress, token: unsubscribeToken, what: `new matches: ${title}` }, context);

/** Greets a confirmed subscription, with a link to unsubscribe. */
export function welcomeMail(alert: Alert, context: MailContext): Mail {
  const url = unsubscribeUrl(context, alert.unsubscribeToken);
  return {
    to: alert.emailAddress,
    subject: `You’re subscribed: ${alert.title}`,
    headers: unsubscribeHeaders(url),
    ...renderEmail(
      createElement(WelcomeEmail, {
        siteName: context.siteName,
        about: `We’ll email you when new matches for your search arrive: ${alert.title}`,
        action: { href: linkOf(alert, context), label: 'See what matches now' },
        unsubscribeUrl: url,
      }),
    ),
  };
}

/** The first few new matches since the last email, and a link to all `total`. */
export function digestMail(
  alert: Alert,
  found: { readonly total: number; readonly listings: readonly EmailVehicle[] },
  context: MailContext,
): Mail {
  const url = unsubscribeUrl(context, alert.unsubscribeToken);
  const { total, listings } = found;
  const { siteName, siteUrl } = context;
  const matches = `${formatNumber(total)} new ${total === 1 ? 'match' : 'matches'}`;
  return {
    to: alert.emailAddress,
    subject: `${matches}: ${alert.title}`,
    headers: unsubscribeHeaders(url),
    ...renderEmail(
      createElement(DigestEmail, {
        ...{ siteName, siteUrl, matches, listings },
        title: alert.title,
        resultsUrl: linkOf(alert, context),
        unsubscribeUrl: url,
      }),
    ),
  };
}
