import { randomBytes, randomUUID } from 'node:crypto';
import { SIGNED_OUT_SAVED_SEARCHES } from '@forecourt/shared-contracts/rules';
import type { Caller } from './caller.ts';
import type { Db } from '../store/database.ts';
import type { EmailAlert } from '../http/callTypes.ts';

/** What two spellings of one mailbox have in common: letters' case. Dots and tags are the mail server's business. */
export const emailKey = (address: string): string => address.trim().toLowerCase();

/** Searches to which one account may subscribe. */
export const MAX_ACCOUNT_ALERTS = 50;

export interface Alert extends EmailAlert {
  readonly unsubscribeToken: string;
  /** The newest listing row which it has taken into account. */
  readonly seenRow: number;
}

export interface NewAlert {
  readonly caller: Caller;
  readonly emailAddress: string;
  readonly brand: string;
  /** Normalised query of the results page: equal searches have equal texts. */
  readonly search: string;
  readonly title: string;
  readonly seenRow: number;
}

export interface AlertStore {
  /**
   * Subscribes once to a search; 'LIMIT' for one more than the caller may have
   * (A9-LIMIT-01, AMB-017): signed out, two for one mailbox and for one browser.
   * `withIt` runs in the same transaction.
   */
  subscribe(alert: NewAlert, withIt: (stored: Alert) => void): { alert: Alert; isNew: boolean } | 'LIMIT';
  ofAccount(account: string): Alert[];
  /** Ends one of the account's own; false when there is none. */
  end(account: string, alertId: string): boolean;
  /** Ends what a mail's link names; gives it, also when it was ended before. */
  endByToken(token: string): Alert | undefined;
  byToken(token: string): (Alert & { readonly isEnded: boolean }) | undefined;
  /** Those that were not looked at since `before`, the longest waiting first. */
  due(before: number, limit: number): Alert[];
  /** Takes note of a run; `withIt` runs in the same transaction. */
  ran(alertId: string, seenRow: number, withIt?: () => void): void;
}

interface AlertRow {
  readonly alert_id: string;
  readonly email: string;
  readonly brand: string;
  readonly search: string;
  readonly title: string;
  readonly unsubscribe_token: string;
  readonly created_at: number;
  readonly seen_row: number;
  readonly ended_at: number | null;
}

const toAlert = (row: AlertRow): Alert => ({
  alertId: row.alert_id,
  emailAddress: row.email,
  brand: row.brand,
  search: row.search,
  title: row.title,
  createdAt: row.created_at,
  unsubscribeToken: row.unsubscribe_token,
  seenRow: row.seen_row,
});

export const newUnsubscribeToken = (): string => randomBytes(24).toString('base64url');

export function createAlertStore(db: Db, now: () => number = Date.now): AlertStore {
  const same = db.prepare<[string, string], AlertRow>(
    'SELECT * FROM alerts WHERE email_key = ? AND search = ? AND ended_at IS NULL',
  );
  const insert = db.prepare(
    `INSERT INTO alerts (alert_id, account, consumer, email, email_key, brand, search, title,
       unsubscribe_token, created_at, seen_row, last_run_at)
     VALUES (@id, @account, @consumer, @email, @emailKey, @brand, @search, @title, @token, @at, @seenRow, @at)`,
  );
  const byId = db.prepare<[string], AlertRow>('SELECT * FROM alerts WHERE alert_id = ?');
  const byToken = db.prepare<[string], AlertRow>('SELECT * FROM alerts WHERE unsubscribe_token = ?');
  const ofAccount = db.prepare<[string], AlertRow>(
    'SELECT * FROM alerts WHERE account = ? AND ended_at IS NULL ORDER BY created_at DESC, alert_id',
  );
  const counted = (column: 'account' | 'consumer' | 'email_key') =>
    db
      .prepare<[string], number>(
        `SELECT count(*) FROM alerts WHERE ${column} = ? AND ended_at IS NULL
         ${column === 'account' ? '' : 'AND account IS NULL'}`,
      )
      .pluck();
  const [ofOneAccount, ofConsumer, ofMailbox] = [
    counted('account'),
    counted('consumer'),
    counted('email_key'),
  ];
  const endOwn = db.prepare(
    'UPDATE alerts SET ended_at = ? WHERE alert_id = ? AND account = ? AND ended_at IS NULL',
  );
  const endNamed = db.prepare(
    'UPDATE alerts SET ended_at = ? WHERE unsubscribe_token = ? AND ended_at IS NULL',
  );
  const due = db.prepare<[number, number], AlertRow>(
    'SELECT * FROM alerts WHERE ended_at IS NULL AND last_run_at < ? ORDER BY last_run_at LIMIT ?',
  );
  const run = db.prepare('UPDATE alerts SET last_run_at = ?, seen_row = ? WHERE alert_id = ?');

  const isFull = ({ account, consumer }: Caller, mailbox: string): boolean =>
    account === undefined
      ? ofMailbox.get(mailbox)! >= SIGNED_OUT_SAVED_SEARCHES ||
        (consumer !== undefined && ofConsumer.get(consumer)! >= SIGNED_OUT_SAVED_SEARCHES)
      : ofOneAccount.get(account)! >= MAX_ACCOUNT_ALERTS;

  return {
    subscribe: (given, withIt) =>
      db
        .transaction((): { alert: Alert; isNew: boolean } | 'LIMIT' => {
          const mailbox = emailKey(given.emailAddress);
          const present = same.get(mailbox, given.search);
          if (present) return { alert: toAlert(present), isNew: false };
          if (isFull(given.caller, mailbox)) return 'LIMIT';
          const id = randomUUID();
          insert.run({
            id,
            account: given.caller.account ?? null,
            consumer: given.caller.consumer ?? null,
            email: given.emailAddress,
            emailKey: mailbox,
            brand: given.brand,
            search: given.search,
            title: given.title,
            token: newUnsubscribeToken(),
            at: now(),
            seenRow: given.seenRow,
          });
          const alert = toAlert(byId.get(id)!);
          withIt(alert);
          return { alert, isNew: true };
        })
        .immediate(),
    ofAccount: (account) => ofAccount.all(account).map(toAlert),
    end: (account, alertId) => endOwn.run(now(), alertId, account).changes > 0,
    endByToken(token) {
      endNamed.run(now(), token);
      const row = byToken.get(token);
      return row && toAlert(row);
    },
    byToken(token) {
      const row = byToken.get(token);
      return row && { ...toAlert(row), isEnded: row.ended_at !== null };
    },
    due: (before, limit) => due.all(before, limit).map(toAlert),
    ran: (alertId, seenRow, withIt) =>
      db
        .transaction(() => {
          run.run(now(), seenRow, alertId);
          withIt?.();
        })
        .immediate(),
  };
}

export interface Capture {
  readonly email: string;
  readonly brand: string;
  readonly unsubscribeToken: string;
}

export interface CaptureStore {
  /** 'present' when the mailbox is subscribed already. `withIt` runs in the same transaction. */
  add(email: string, brand: string, withIt: (capture: Capture) => void): 'added' | 'present';
  /** Undefined when no mail had such a link. */
  endByToken(token: string): Capture | undefined;
  byToken(token: string): Capture | undefined;
}

interface CaptureRow {
  readonly email: string;
  readonly brand: string;
  readonly unsubscribe_token: string;
  readonly ended_at: number | null;
}

const toCapture = (row: CaptureRow): Capture => ({
  email: row.email,
  brand: row.brand,
  unsubscribeToken: row.unsubscribe_token,
});

export function createCaptureStore(db: Db, now: () => number = Date.now): CaptureStore {
  const find = db.prepare<[string, string], CaptureRow>(
    'SELECT * FROM captures WHERE email_key = ? AND brand = ?',
  );
  const byToken = db.prepare<[string], CaptureRow>('SELECT * FROM captures WHERE unsubscribe_token = ?');
  const upsert = db.prepare(
    `INSERT INTO captures (email_key, brand, email, unsubscribe_token, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (email_key, brand) DO UPDATE SET ended_at = NULL, email = excluded.email`,
  );
  const end = db.prepare('UPDATE captures SET ended_at = ? WHERE unsubscribe_token = ? AND ended_at IS NULL');
  return {
    add: (email, brand, withIt) =>
      db
        .transaction(() => {
          const key = emailKey(email);
          if (find.get(key, brand)?.ended_at === null) return 'present';
          upsert.run(key, brand, email, newUnsubscribeToken(), now());
          withIt(toCapture(find.get(key, brand)!));
          return 'added';
        })
        .immediate(),
    endByToken(token) {
      end.run(now(), token);
      const row = byToken.get(token);
      return row && toCapture(row);
    },
    byToken(token) {
      const row = byToken.get(token);
      return row && toCapture(row);
    },
  };
}
