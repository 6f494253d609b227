import type { Sql } from '@forecourt/service-kit/sql';
import { createMailSender as createSender, type MailSender } from '@forecourt/service-kit/mail';
import type { Logger } from '@forecourt/service-kit/log';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text; each link is on its own line. */
  readonly text: string;
  /** Absent in emails that were queued before there was HTML. */
  readonly html?: string;
}
export interface StoredMail extends Mail {
  readonly id: number;
  readonly attempts: number;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly nextAt: number;
}

interface Row {
  id: number;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: number;
  attempts: number;
  next_at: number;
}

/** Queue of outgoing mails, in the same database as the accounts. */
export interface MailOutbox {
  /** Queues a mail; call it inside the transaction that causes it. */
  readonly add: (mail: Mail) => Promise<void>;
  /** Mails to send now, oldest first. */
  readonly due: (limit: number) => Promise<readonly StoredMail[]>;
  /** Keeps other senders off a due mail until `until`, ms since 1970; false when one of them was first. */
  readonly claim: (mail: StoredMail, until: number) => Promise<boolean>;
  /** Removes a mail, and with it the secret in its text. */
  readonly remove: (id: number) => Promise<void>;
  /** Schedules a retry at `at`, ms since 1970. */
  readonly postpone: (id: number, at: number) => Promise<void>;
  /** Deletes mails that are too old to be useful and returns their number. */
  readonly sweep: () => Promise<number>;
  /** Newest first; for the outbox page. */
  readonly newest: (limit: number) => Promise<readonly StoredMail[]>;
}

const toMail = ({ id, recipient, subject, text, html, created_at, attempts, next_at }: Row): StoredMail => ({
  id,
  to: recipient,
  subject,
  text,
  ...(html !== '' && { html }),
  attempts,
  createdAt: created_at,
  nextAt: next_at,
});

/** ms; by then the links of an unsent mail have expired. */
const RETENTION_MS = 86_400_000;

/** `now` in ms. */
export function createMailOutbox(sql: Sql, now: () => number = Date.now): MailOutbox {
  return {
    async add({ to, subject, text, html = '' }) {
      await sql.run(
        'INSERT INTO mail (recipient, subject, text, html, created_at, next_at) VALUES (?, ?, ?, ?, ?, ?)',
        to,
        subject,
        text,
        html,
        now(),
        now(),
      );
    },
    due: async (limit) =>
      (
        await sql.all<Row>('SELECT * FROM mail WHERE next_at <= ? ORDER BY next_at, id LIMIT ?', now(), limit)
      ).map(toMail),
    claim: async ({ id, nextAt }, until) =>
      (await sql.run('UPDATE mail SET next_at = ? WHERE id = ? AND next_at = ?', until, id, nextAt)) === 1,
    async remove(id) {
      await sql.run('DELETE FROM mail WHERE id = ?', id);
    },
    async postpone(id, at) {
      await sql.run('UPDATE mail SET attempts = attempts + 1, next_at = ? WHERE id = ?', at, id);
    },
    sweep: () => sql.run('DELETE FROM mail WHERE created_at <= ?', now() - RETENTION_MS),
    newest: async (limit) =>
      (await sql.all<Row>('SELECT * FROM mail ORDER BY id DESC LIMIT ?', limit)).map(toMail),
  };
}

/** Sends one mail; rejects on failure. */
export type SendMail = (mail: Mail) => Promise<void>;

/** ms until the next attempt, by number of failures; in total about the lifetime of a link. */
const BACKOFF_MS = [5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000];

/** Sends due mails. Failures are retried for an hour, then the mail is dropped. */
export const createMailSender = (parts: {
  readonly outbox: MailOutbox;
  readonly send: SendMail;
  readonly logger: Logger;
  readonly now?: () => number;
}): MailSender => {
  const { outbox, send, logger, now } = parts;
  return createSender({
    queue: {
      due: outbox.due,
      claim: outbox.claim,
      delivered: ({ id }) => outbox.remove(id),
      failed: ({ id }, _, nextAt) => (nextAt === undefined ? outbox.remove(id) : outbox.postpone(id, nextAt)),
    },
    send: ({ to, subject, text, html }) => send({ to, subject, text, ...(html !== undefined && { html }) }),
    pauses: BACKOFF_MS,
    logger,
    now,
  });
};
