import { createHash, randomBytes } from 'node:crypto';
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

type MailKind =
  | 'lead'
  | 'share'
  | 'alert-confirm'
  | 'alert-welcome'
  | 'alert-digest'
  | 'capture-confirm'
  | 'capture-welcome'
  | 'report';
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

/** `suppressed`: the mailbox declined or bounced; `limited`: over a budget; `repeated`: the key was used before. */
type Queued = 'queued' | 'repeated' | 'suppressed' | 'limited';

/** Outgoing emails, in the same database as the records that cause them. */
export interface MailStore {
  /** Queues an email, inside the transaction of its cause, unless its mailbox or sender may not cause it. */
  add(kind: MailKind, mail: Mail, dedupeKey?: string, account?: string): Queued;
  /** The token of the mailbox's opt-out link, which ends all emails but those that an account causes itself. */
  optOutToken(address: string): string;
  /** Ends emails to the mailbox of a link; false for an unknown token. */
  declineByToken(token: string): boolean;
  hasToken(token: string): boolean;
  suppress(address: string, refusal: 'declined' | 'bounced'): void;
  /** The owner of a verified address wants emails again. */
  unsuppress(address: string): void;
  /** Deletes copies of emails sent long ago; returns their number. */
  sweep(): number;
  /** Emails due now, oldest first. */
  due(limit: number): StoredMail[];
  /** Keeps other senders off a due email until `until`, ms since 1970; false when one of them was first. */
  claim(mail: StoredMail, until: number): boolean;
  delivered(id: number, state: 'sent' | 'outbox'): void;
  /** Retries at `nextAt`; without it the email becomes a dead letter. `isBounce`: the mailbox does not exist. */
  failed(id: number, error: string, nextAt: number | undefined, isBounce?: boolean): void;
  /** Newest first. */
  list(state?: MailState, limit?: number): StoredMail[];
  /** Requeues a dead letter; false for any other email. */
  retry(id: number): boolean;
  counts(): Readonly<Record<MailState, number>>;
}

const DAY_MS = 86_400_000;

interface Budget {
  readonly kinds: readonly MailKind[];
  readonly days: number;
  readonly perMailbox: number;
  readonly perAccount?: number;
}

/** Emails that people cause for mailboxes that need not be theirs. No window is longer than the retention of copies. */
const BUDGETS: readonly Budget[] = [
  { kinds: ['alert-confirm', 'capture-confirm'], days: 1, perMailbox: 3 },
  { kinds: ['alert-confirm', 'capture-confirm'], days: 30, perMailbox: 9 },
  { kinds: ['share'], days: 1, perMailbox: 3, perAccount: 20 },
  { kinds: ['share'], days: 30, perMailbox: 10, perAccount: 100 },
];

/** Business mail: its recipients are the sellers and the moderators. */
const isBusinessMail = (kind: MailKind): boolean => kind === 'lead' || kind === 'report';

/**
 * Key of the mailbox behind an address: `a.da+cars@Example.com` and `ada@example.com` share budgets and refusals, as
 * large mail providers deliver both to one person. Hashed, because a refusal is kept without the address.
 */
function mailboxOf(address: string): string {
  const [local = '', host = ''] = address
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .split(/@(?=[^@]*$)/);
  const plain = local.replace(/\+.*$/, '').replaceAll('.', '') || local;
  return createHash('sha256').update(`${plain}@${host}`).digest('base64url');
}

/** Text of a mail header: names of sellers, vehicles and visitors hold no line breaks there. */
const headerText = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

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
const RETENTION_MS = 30 * DAY_MS;

/** Who gets no email: mailboxes that declined or bounced, and what is over a budget. */
function createMailRules(db: Db, now: () => number) {
  const counted = (column: 'mailbox' | 'account') =>
    db
      .prepare<[string, string, number], number>(
        `SELECT count(*) FROM mails WHERE ${column} = ?
         AND kind IN (SELECT value FROM json_each(?)) AND created_at > ?`,
      )
      .pluck();
  const [toMailbox, ofAccount] = [counted('mailbox'), counted('account')];
  const refusal = db
    .prepare<[string], string | null>('SELECT refusal FROM mailboxes WHERE mailbox = ?')
    .pluck();
  const enter = db.prepare('INSERT INTO mailboxes (mailbox, token) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const tokenOf = db.prepare<[string], string>('SELECT token FROM mailboxes WHERE mailbox = ?').pluck();
  const refuse = db.prepare('UPDATE mailboxes SET refusal = ?, refused_at = ? WHERE mailbox = ?');
  const decline = db.prepare(`UPDATE mailboxes SET refusal = 'declined', refused_at = ? WHERE token = ?`);
  const has = db.prepare<[string], number>('SELECT 1 FROM mailboxes WHERE token = ?').pluck();
  const tokenFor = (address: string): string => {
    const mailbox = mailboxOf(address);
    enter.run(mailbox, randomBytes(24).toString('base64url'));
    return tokenOf.get(mailbox)!;
  };
  return {
    refusalOf: (mailbox: string) => refusal.get(mailbox) ?? undefined,
    isOverBudget: (kind: MailKind, mailbox: string, account: string | undefined): boolean =>
      BUDGETS.some(({ kinds, days, perMailbox, perAccount }) => {
        if (!kinds.includes(kind)) return false;
        const names = JSON.stringify(kinds);
        const since = now() - days * DAY_MS;
        const isSender = account !== undefined && perAccount !== undefined;
        return (
          toMailbox.get(mailbox, names, since)! >= perMailbox ||
          (isSender && ofAccount.get(account, names, since)! >= perAccount)
        );
      }),
    optOutToken: tokenFor,
    hasToken: (token: string) => has.get(token) !== undefined,
    declineByToken: (token: string) => decline.run(now(), token).changes > 0,
    suppress(address: string, reason: 'declined' | 'bounced') {
      tokenFor(address);
      refuse.run(reason, now(), mailboxOf(address));
    },
    unsuppress: (address: string) => void refuse.run(null, null, mailboxOf(address)),
  };
}

export function createMailStore(db: Db, now: () => number = Date.now): MailStore {
  const rules = createMailRules(db, now);
  const insert = db.prepare(
    `INSERT INTO mails (kind, dedupe_key, recipient, subject, message, created_at, next_at, mailbox, account)
     VALUES (@kind, @dedupeKey, @to, @subject, @message, @at, @at, @mailbox, @account)
     ON CONFLICT (dedupe_key) DO NOTHING`,
  );
  const isKnown = db.prepare<[string], number>('SELECT 1 FROM mails WHERE dedupe_key = ?').pluck();
  const byId = db.prepare<[number], Row>('SELECT * FROM mails WHERE id = ?');
  const sweep = db.prepare(`DELETE FROM mails WHERE state = 'sent' AND sent_at <= ?`);
  const due = db.prepare<[number, number], Row>(
    `SELECT * FROM mails WHERE state = 'pending' AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
  );
  const claim = db.prepare(`UPDATE mails SET next_at = ? WHERE id = ? AND next_at = ? AND state = 'pending'`);
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
    ...rules,
    add(kind, { to, subject, replyTo, ...rest }, dedupeKey, account) {
      if (dedupeKey !== undefined && isKnown.get(dedupeKey)) return 'repeated';
      const mailbox = mailboxOf(to);
      if (!isBusinessMail(kind)) {
        if (rules.refusalOf(mailbox) !== undefined) return 'suppressed';
        if (rules.isOverBudget(kind, mailbox, account)) return 'limited';
      }
      const cause = { kind, dedupeKey: dedupeKey ?? null, mailbox, account: account ?? null, at: now() };
      const message = { ...rest, ...(replyTo !== undefined && { replyTo: headerText(replyTo) }) };
      const header = { to: headerText(to), subject: headerText(subject) };
      insert.run({ ...cause, ...header, message: JSON.stringify(message) });
      return 'queued';
    },
    sweep: () => sweep.run(now() - RETENTION_MS).changes,
    due: (limit) => due.all(now(), limit).map(toMail),
    claim: ({ id, nextAt }, until) => claim.run(until, id, nextAt).changes === 1,
    delivered: (id, state) => void deliver.run(state, now(), id),
    failed(id, error, nextAt, isBounce = false) {
      fail.run({ id, error: error.slice(0, 500), nextAt: nextAt ?? null });
      const mail = isBounce ? byId.get(id) : undefined;
      if (mail && !isBusinessMail(mail.kind)) rules.suppress(mail.recipient, 'bounced');
    },
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
