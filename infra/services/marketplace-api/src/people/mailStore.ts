import type { Db } from '@forecourt/durable/database';

/** An email as it is stored and sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: string;
  }[];
}

type MailKind = 'lead' | 'share' | 'alert-welcome' | 'alert-digest' | 'capture-welcome' | 'report';
export type MailState = 'pending' | 'sent' | 'dead' | 'outbox';

export interface StoredMail extends Mail {
  readonly id: number;
  readonly kind: MailKind;
  readonly state: MailState;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly nextAt: number;
  readonly sentAt?: number;
  readonly lastError?: string;
}

interface Row {
  readonly id: number;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly subject: string;
  readonly message: string;
  readonly created_at: number;
  readonly state: MailState;
  readonly attempts: number;
  readonly next_at: number;
  readonly last_error: string | null;
  readonly sent_at: number | null;
}

/** Outgoing emails, in the same database as the records that cause them. */
export interface MailStore {
  /**
   * Queues an email, inside the transaction of its cause. False for a second
   * one with the same key.
   */
  add(kind: MailKind, mail: Mail, dedupeKey?: string): boolean;
  /** Emails of a kind queued for a mailbox since a time. */
  countTo(kind: MailKind, recipient: string, since: number): number;
  /** Deletes copies of emails sent long ago; returns their number. */
  sweep(): number;
  /** Emails due now, oldest first. */
  due(limit: number): StoredMail[];
  delivered(id: number, state: 'sent' | 'outbox'): void;
  /** Retries at `nextAt`; without it the email becomes a dead letter. */
  failed(id: number, error: string, nextAt: number | undefined): void;
  /** Newest first. */
  list(state?: MailState, limit?: number): StoredMail[];
  /** Requeues a dead letter; false for any other email. */
  retry(id: number): boolean;
  counts(): Readonly<Record<MailState, number>>;
}

const toMail = (row: Row): StoredMail => ({
  ...(JSON.parse(row.message) as Omit<Mail, 'to' | 'subject'>),
  id: row.id,
  kind: row.kind,
  to: row.recipient,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.created_at,
  nextAt: row.next_at,
  ...(row.sent_at !== null && { sentAt: row.sent_at }),
  ...(row.last_error !== null && { lastError: row.last_error }),
});

/** ms after which the copy of a sent email is deleted. */
const RETENTION_MS = 30 * 86_400_000;

export function createMailStore(db: Db, now: () => number = Date.now): MailStore {
  const insert = db.prepare(
    `INSERT INTO mails (kind, dedupe_key, recipient, subject, message, created_at, next_at)
     VALUES (@kind, @dedupeKey, @to, @subject, @message, @at, @at) ON CONFLICT (dedupe_key) DO NOTHING`,
  );
  const countTo = db
    .prepare<[string, string, number], number>(
      'SELECT count(*) FROM mails WHERE kind = ? AND lower(recipient) = lower(?) AND created_at > ?',
    )
    .pluck();
  const sweep = db.prepare(`DELETE FROM mails WHERE state = 'sent' AND sent_at <= ?`);
  const due = db.prepare<[number, number], Row>(
    `SELECT * FROM mails WHERE state = 'pending' AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
  );
  const deliver = db.prepare(
    'UPDATE mails SET state = ?, sent_at = ?, attempts = attempts + 1, last_error = NULL WHERE id = ?',
  );
  const fail = db.prepare(
    `UPDATE mails SET attempts = attempts + 1, last_error = @error, next_at = coalesce(@nextAt, next_at),
     state = iif(@nextAt IS NULL, 'dead', 'pending') WHERE id = @id`,
  );
  const all = db.prepare<[number], Row>('SELECT * FROM mails ORDER BY id DESC LIMIT ?');
  const byState = db.prepare<[string, number], Row>(
    'SELECT * FROM mails WHERE state = ? ORDER BY id DESC LIMIT ?',
  );
  const revive = db.prepare(
    `UPDATE mails SET state = 'pending', attempts = 0, next_at = ? WHERE id = ? AND state = 'dead'`,
  );
  const count = db.prepare<[], { state: MailState; mails: number }>(
    'SELECT state, count(*) AS mails FROM mails GROUP BY state',
  );
  return {
    add(kind, { to, subject, ...message }, dedupeKey) {
      const values = { kind, dedupeKey: dedupeKey ?? null, to, subject, message: JSON.stringify(message) };
      return insert.run({ ...values, at: now() }).changes > 0;
    },
    countTo: (kind, recipient, since) => countTo.get(kind, recipient, since)!,
    sweep: () => sweep.run(now() - RETENTION_MS).changes,
    due: (limit) => due.all(now(), limit).map(toMail),
    delivered: (id, state) => void deliver.run(state, now(), id),
    failed: (id, error, nextAt) => void fail.run({ id, error: error.slice(0, 500), nextAt: nextAt ?? null }),
    list: (state, limit = 100) =>
      (state === undefined ? all.all(limit) : byState.all(state, limit)).map(toMail),
    retry: (id) => revive.run(now(), id).changes > 0,
    counts() {
      const counts = { pending: 0, sent: 0, dead: 0, outbox: 0 };
      for (const { state, mails } of count.all()) counts[state] = mails;
      return counts;
    },
  };
}
