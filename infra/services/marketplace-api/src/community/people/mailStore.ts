import type { Sql } from '@forecourt/service-kit/sql';
import { createMailRules, DAY_MS, type MailKind, mailboxKey } from './mailRules.ts';

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

export type MailState = 'pending' | 'sent' | 'dead' | 'outbox';

export interface StoredMail extends Mail {
  readonly id: number;
  readonly kind: MailKind;
  readonly state: MailState;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly nextAt: number;
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
}

/** `suppressed`: the mailbox declined or bounced; `limited`: over a budget; `repeated`: the key was used before. */
type Queued = 'queued' | 'repeated' | 'suppressed' | 'limited';

/** Outgoing emails, in the same database as the records that cause them. */
export interface MailStore {
  /** Queues an email, inside the transaction of its cause, unless its mailbox or sender may not cause it. */
  add(kind: MailKind, mail: Mail, dedupeKey?: string, account?: string): Promise<Queued>;
  /** The token of the mailbox's opt-out link, which ends all emails but those that an account causes itself. */
  optOutToken(address: string): Promise<string>;
  /** Ends emails to the mailbox of a link; false for an unknown token. */
  declineByToken(token: string): Promise<boolean>;
  hasToken(token: string): Promise<boolean>;
  suppress(address: string, refusal: 'declined' | 'bounced'): Promise<void>;
  /** The owner of a verified address wants emails again. */
  unsuppress(address: string): Promise<void>;
  /** Deletes copies of emails sent long ago; returns their number. */
  sweep(): Promise<number>;
  /** Emails due now, oldest first. */
  due(limit: number): Promise<StoredMail[]>;
  /** Keeps other senders off a due email until `until`, ms since 1970; false when one of them was first. */
  claim(mail: StoredMail, until: number): Promise<boolean>;
  delivered(id: number, state: 'sent' | 'outbox'): Promise<void>;
  /** Retries at `nextAt`; without it the email becomes a dead letter. `isBounce`: the mailbox does not exist. */
  failed(id: number, error: string, nextAt: number | undefined, isBounce?: boolean): Promise<void>;
  /** Newest first. */
  list(state?: MailState, limit?: number): Promise<StoredMail[]>;
  /** Requeues a dead letter; false for any other email. */
  retry(id: number): Promise<boolean>;
  counts(): Promise<Readonly<Record<MailState, number>>>;
}

/** Business mail: its recipients are the sellers and the moderators. */
const isBusinessMail = (kind: MailKind): boolean => kind === 'lead' || kind === 'report';

/** Text of a mail header: names of sellers, vehicles and visitors hold no line breaks there, and don't turn text around. */
const headerText = (text: string): string =>
  text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();

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
  ...(row.last_error !== null && { lastError: row.last_error }),
});

/** ms after which the copy of a sent email is deleted. */
const RETENTION_MS = 30 * DAY_MS;

export function createMailStore(sql: Sql, now: () => number = Date.now): MailStore {
  const rules = createMailRules(sql, now);
  return {
    ...rules,
    ...createMailQueue(sql, now, (address) => rules.suppress(address, 'bounced')),
    add: (kind, { to, subject, replyTo, ...rest }, dedupeKey, account) =>
      sql.transaction(async () => {
        const isKnown = 'SELECT 1 FROM mails WHERE dedupe_key = ?';
        if (dedupeKey !== undefined && (await sql.get(isKnown, dedupeKey))) return 'repeated';
        const mailbox = mailboxKey(to);
        if (!isBusinessMail(kind)) {
          if (await rules.isRefused(to)) return 'suppressed';
          if (await rules.isOverBudget(kind, mailbox, account)) return 'limited';
        }
        const message = { ...rest, ...(replyTo !== undefined && { replyTo: headerText(replyTo) }) };
        await sql.run(
          `INSERT INTO mails (kind, dedupe_key, recipient, subject, message, created_at, next_at, mailbox, account)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dedupe_key) DO NOTHING`,
          kind,
          dedupeKey ?? null,
          headerText(to),
          headerText(subject),
          JSON.stringify(message),
          now(),
          now(),
          mailbox,
          account ?? null,
        );
        return 'queued';
      }),
    async list(state, limit = 100) {
      const rows = await (state === undefined
        ? sql.all<Row>('SELECT * FROM mails ORDER BY id DESC LIMIT ?', limit)
        : sql.all<Row>('SELECT * FROM mails WHERE state = ? ORDER BY id DESC LIMIT ?', state, limit));
      return rows.map(toMail);
    },
    async counts() {
      const counts = { pending: 0, sent: 0, dead: 0, outbox: 0 };
      const rows = await sql.all<{ state: MailState; n: number }>(
        'SELECT state, count(*) AS n FROM mails GROUP BY state',
      );
      for (const { state, n } of rows) counts[state] = n;
      return counts;
    },
  };
}

/** What a sender does with stored emails. */
function createMailQueue(sql: Sql, now: () => number, onBounce: (address: string) => Promise<void>) {
  return {
    sweep: () => sql.run(`DELETE FROM mails WHERE state = 'sent' AND sent_at <= ?`, now() - RETENTION_MS),
    async due(limit: number) {
      const rows = await sql.all<Row>(
        `SELECT * FROM mails WHERE state = 'pending' AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
        now(),
        limit,
      );
      return rows.map(toMail);
    },
    claim: async ({ id, nextAt }: StoredMail, until: number) =>
      (await sql.run(
        `UPDATE mails SET next_at = ? WHERE id = ? AND next_at = ? AND state = 'pending'`,
        until,
        id,
        nextAt,
      )) === 1,
    async delivered(id: number, state: 'sent' | 'outbox') {
      await sql.run(
        'UPDATE mails SET state = ?, sent_at = ?, attempts = attempts + 1, last_error = NULL WHERE id = ?',
        state,
        now(),
        id,
      );
    },
    failed: (id: number, error: string, nextAt: number | undefined, isBounce = false) =>
      sql.transaction(async () => {
        await sql.run(
          `UPDATE mails SET attempts = attempts + 1, last_error = ?, next_at = coalesce(?, next_at), state = ?
           WHERE id = ?`,
          error.slice(0, 500),
          nextAt ?? null,
          nextAt === undefined ? 'dead' : 'pending',
          id,
        );
        const mail = isBounce ? await sql.get<Row>('SELECT * FROM mails WHERE id = ?', id) : undefined;
        if (mail && !isBusinessMail(mail.kind)) await onBounce(mail.recipient);
      }),
    retry: async (id: number) =>
      (await sql.run(
        `UPDATE mails SET state = 'pending', attempts = 0, next_at = ? WHERE id = ? AND state = 'dead'`,
        now(),
        id,
      )) > 0,
  };
}
