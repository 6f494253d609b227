import type { Db } from '../store/accountStore.ts';
import { createMailSender as createSender, type MailSender } from '@forecourt/durable/mail';
import type { Logger } from 'pino';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text; each link is on its own line. */
  readonly text: string;
}
export interface StoredMail extends Mail {
  readonly id: number;
  readonly attempts: number;
  /** ms since 1970. */
  readonly createdAt: number;
}

interface Row {
  id: number;
  recipient: string;
  subject: string;
  text: string;
  created_at: number;
  attempts: number;
}

/** Queue of outgoing mails, in the same database as the accounts. */
export interface MailOutbox {
  /** Queues a mail; call it inside the transaction that causes it. */
  readonly add: (mail: Mail) => void;
  /** Mails to send now, oldest first. */
  readonly due: (limit: number) => readonly StoredMail[];
  /** Removes a mail, and with it the secret in its text. */
  readonly remove: (id: number) => void;
  /** Schedules a retry at `at`, ms since 1970. */
  readonly postpone: (id: number, at: number) => void;
  /** Deletes mails that are too old to be useful and returns their number. */
  readonly sweep: () => number;
  /** Newest first; for the outbox page. */
  readonly newest: (limit: number) => readonly StoredMail[];
}

const toMail = ({ id, recipient, subject, text, created_at, attempts }: Row): StoredMail => ({
  id,
  to: recipient,
  subject,
  text,
  attempts,
  createdAt: created_at,
});

/** ms; by then the links of an unsent mail have expired. */
const RETENTION_MS = 86_400_000;

export function createMailOutbox(db: Db, now: () => number = Date.now): MailOutbox {
  const insert = db.prepare(
    'INSERT INTO mail (recipient, subject, text, created_at, next_at) VALUES (@to, @subject, @text, @at, @at)',
  );
  const due = db.prepare<[number, number], Row>(
    'SELECT * FROM mail WHERE next_at <= ? ORDER BY next_at, id LIMIT ?',
  );
  const newest = db.prepare<[number], Row>('SELECT * FROM mail ORDER BY id DESC LIMIT ?');
  const remove = db.prepare('DELETE FROM mail WHERE id = ?');
  const postpone = db.prepare('UPDATE mail SET attempts = attempts + 1, next_at = ? WHERE id = ?');
  const sweep = db.prepare('DELETE FROM mail WHERE created_at <= ?');
  return {
    sweep: () => sweep.run(now() - RETENTION_MS).changes,
    add: (mail) => void insert.run({ ...mail, at: now() }),
    due: (limit) => due.all(now(), limit).map(toMail),
    remove: (id) => void remove.run(id),
    postpone: (id, at) => void postpone.run(at, id),
    newest: (limit) => newest.all(limit).map(toMail),
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
      delivered: ({ id }) => outbox.remove(id),
      failed: ({ id }, _, nextAt) => (nextAt === undefined ? outbox.remove(id) : outbox.postpone(id, nextAt)),
    },
    send: ({ to, subject, text }) => send({ to, subject, text }),
    pauses: BACKOFF_MS,
    logger,
    now,
  });
};
