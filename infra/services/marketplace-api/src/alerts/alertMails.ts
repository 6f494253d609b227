import { withThousands } from '@forecourt/shared-contracts/catalog';
import type { StockListing } from '../domain/stock.ts';
import { listingLines, unsubscribeHeaders, type MailContext } from '../contact/contactMails.ts';
import type { Mail } from '../mail/mailStore.ts';
import { resultsPath } from './alertSearch.ts';
import type { Alert } from './alertStore.ts';

const linkOf = (alert: Alert, { siteUrl }: MailContext) => siteUrl + resultsPath(alert.search);
const farewell = (url: string) => `No more mails for this search: ${url}`;

/** Confirms a subscription; its link ends it. */
export function welcomeMail(alert: Alert, context: MailContext): Mail {
  const url = context.unsubscribeUrl + alert.unsubscribeToken;
  return {
    to: alert.emailAddress,
    subject: `You hear of new matches: ${alert.title}`,
    headers: unsubscribeHeaders(url),
    text: [
      `From now on we write to you when vehicles come in that match your search:`,
      `${alert.title}\n${linkOf(alert, context)}`,
      farewell(url),
    ].join('\n\n'),
  };
}

/** What came in since the last mail: the first few, and where to see all `total`. */
export function digestMail(
  alert: Alert,
  found: { readonly total: number; readonly listings: readonly StockListing[] },
  context: MailContext,
): Mail {
  const url = context.unsubscribeUrl + alert.unsubscribeToken;
  const { total, listings } = found;
  const matches = `${withThousands(total)} new ${total === 1 ? 'match' : 'matches'}`;
  return {
    to: alert.emailAddress,
    subject: `${matches}: ${alert.title}`,
    headers: unsubscribeHeaders(url),
    text: [
      `${matches} for your search "${alert.title}":`,
      ...listings.map((listing) => listingLines(listing, context.siteUrl)),
      `See them all: ${linkOf(alert, context)}`,
      farewell(url),
    ].join('\n\n'),
  };
}
