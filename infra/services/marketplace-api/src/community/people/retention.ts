import type { Sql } from '@forecourt/service-kit/sql';
import type { PersonalData } from '@forecourt/service-kit/personalData';

const DAY_MS = 86_400_000;

/** How long rows are kept after the time in a column. What has other rules is swept by its own store. */
const RULES = [
  { table: 'leads', since: 'received_at', days: 730 },
  { table: 'reports', since: 'received_at', days: 730 },
  { table: 'alerts', since: 'ended_at', days: 90 },
  { table: 'captures', since: 'ended_at', days: 90 },
  { table: 'profiles', since: 'updated_at', days: 365 },
  { table: 'deals', since: 'updated_at', days: 365 },
  { table: 'mails', since: 'created_at', days: 90 },
] as const;

/** Deletes what was kept long enough, and returns the number of rows. */
export async function sweepRetention(sql: Sql, now: () => number): Promise<number> {
  let removed = 0;
  for (const { table, since, days } of RULES)
    removed += await sql.run(`DELETE FROM ${table} WHERE ${since} <= ?`, now() - days * DAY_MS);
  return removed;
}

/** @throws Error for a table without a rule */
function daysOf(table: (typeof RULES)[number]['table']): string {
  const rule = RULES.find((each) => each.table === table)!;
  const since = {
    received_at: '',
    ended_at: ' after its end',
    updated_at: ' after the last change',
    created_at: '',
  };
  return `${rule.days} days${since[rule.since]}`;
}

/** Personal data in `people.sqlite` (infra/docs/personal-data.md). */
export const PEOPLE_DATA: PersonalData = {
  settings: 'none',
  leases: 'none',
  leads: {
    what: 'message, name, email address and phone number of a shopper; account or browser',
    why: 'to deliver a message to a seller, once',
    until: daysOf('leads'),
    seenBy: 'the seller, by email',
    columns: ['account', 'consumer', 'body'],
  },
  mails: {
    what: 'recipient and text of an email; hash of the mailbox; account that caused it',
    why: 'to deliver it, and to limit emails per mailbox and account',
    until: `30 days after sending; ${daysOf('mails')} if it can’t be sent`,
    seenBy: 'the recipient',
    columns: ['recipient', 'subject', 'message', 'mailbox', 'account', 'dedupe_key'],
  },
  bookmarks: {
    what: 'saved searches of an account',
    why: 'saved searches',
    until: 'removal, or erasure of the account’s data',
    seenBy: 'the account',
    columns: ['account', 'title', 'search_name', 'search_results_url'],
  },
  saved_listings: {
    what: 'saved vehicles of an account',
    why: 'saved vehicles and price alerts',
    until: 'removal, or erasure of the account’s data',
    seenBy: 'the account',
    columns: ['account'],
  },
  alerts: {
    what: 'email address, search, and when they were confirmed; account or browser',
    why: 'emails about new matches, with consent',
    until: `${daysOf('alerts')}; 2 days without a confirmation`,
    seenBy: 'the account; the recipient',
    columns: [
      'account',
      'consumer',
      'email',
      'email_key',
      'search',
      'title',
      'unsubscribe_token',
      'confirmed_at',
    ],
  },
  captures: {
    what: 'email address, and when it was confirmed',
    why: 'emails of the site, with consent',
    until: `${daysOf('captures')}; 2 days without a confirmation`,
    seenBy: 'the recipient',
    columns: ['email', 'email_key', 'unsubscribe_token', 'confirmed_at'],
  },
  devices: {
    what: 'push address of a browser; account and browser',
    why: 'notifications, with consent',
    until: 'opt-out, refusal by the push service, or erasure of the account’s data',
    seenBy: 'the push service of the browser',
    columns: ['token', 'token_hash', 'pixall_id', 'account'],
  },
  profiles: {
    what: 'name, email address and phone number',
    why: 'to contact sellers with one click, with consent',
    until: daysOf('profiles'),
    seenBy: 'the account or browser',
    columns: ['owner', 'body'],
  },
  reports: {
    what: 'comment and email address of the person who reports a listing; account or browser',
    why: 'to moderate listings',
    until: daysOf('reports'),
    seenBy: 'moderators, by email',
    columns: ['comments', 'email', 'account', 'consumer'],
  },
  deals: {
    what: 'payment terms chosen by a shopper',
    why: 'to show the same payment again',
    until: daysOf('deals'),
    seenBy: 'anyone with its link',
    columns: ['id', 'body'],
  },
  mailboxes: {
    what: 'hash of an email address that refuses emails',
    why: 'to send no emails to it',
    until: 'indefinitely, so that the refusal stays in effect',
    seenBy: 'no one',
    columns: ['mailbox', 'token', 'refusal', 'refused_at'],
  },
};
