import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from './caller.ts';
import type { Db } from '@forecourt/durable/database';
import type { EmailAlert } from '../http/requests.ts';

/** Key of a mailbox: case is ignored; dots and tags are left to the mail server. */
export const emailKey = (address: string): string => address.trim().toLowerCase();

/** Searches that a signed-out visitor may subscribe to (A9-LIMIT-01). */
export const SIGNED_OUT_SAVED_SEARCHES = 2;

/** Most subscribed searches of one account. */
const MAX_ACCOUNT_ALERTS = 50;

export interface Alert extends EmailAlert {
  readonly unsubscribeToken: string;
  /** Newest listing row that its emails have covered. */
  readonly seenRow: number;
}

interface NewAlert {
  readonly caller: Caller;
  readonly emailAddress: string;
  readonly brand: string;
  /** Normalized query of the results page: equal searches have equal texts. */
  readonly search: string;
  readonly title: string;
  readonly seenRow: number;
  /** The address is the caller's own verified one: nothing is left to confirm. */
  readonly isVerified: boolean;
}

/** ms that an unconfirmed subscription waits for its confirmation. */
export const CONFIRMATION_MS = 2 * 86_400_000;

export interface AlertStore {
  /**
   * Subscribes once to a search. 'LIMIT' above the caller's limit: signed out,
   * two per mailbox and per browser (A9-LIMIT-01, AMB-017). `onStored` runs in
   * the same transaction.
   */
  subscribe(alert: NewAlert, onStored: (stored: Alert) => void): { alert: Alert; isNew: boolean } | 'LIMIT';
  /** Confirms the alert of an email's link; undefined for an unknown or ended one. `onConfirmed` runs the first time. */
  confirmByToken(token: string, onConfirmed: (alert: Alert) => void): Alert | undefined;
  /** Deletes subscriptions that were never confirmed; returns their number. */
  sweep(): number;
  ofAccount(account: string): Alert[];
  /** Ends one of the account's alerts; false for an unknown one. */
  end(account: string, alertId: string): boolean;
  /** Ends the alert of an email's link; returns it even if it had already ended. */
  endByToken(token: string): Alert | undefined;
  byToken(token: string): (Alert & State) | undefined;
  /** Confirmed alerts whose last run was before `before`, oldest first. */
  due(before: number, limit: number): Alert[];
  /** Records a run; `onStored` runs in the same transaction. */
  recordRun(alertId: string, seenRow: number, onStored?: () => void): void;
}

export interface AlertRow {
  readonly alert_id: string;
  readonly email: string;
  readonly brand: string;
  readonly search: string;
  readonly title: string;
  readonly unsubscribe_token: string;
  readonly created_at: number;
  readonly seen_row: number;
  readonly ended_at: number | null;
  readonly confirmed_at: number | null;
}

/** Of a subscription. */
export interface State {
  readonly isEnded: boolean;
  readonly isConfirmed: boolean;
}
export const stateOf = (row: Pick<AlertRow, 'ended_at' | 'confirmed_at'>): State => ({
  isEnded: row.ended_at !== null,
  isConfirmed: row.confirmed_at !== null,
});

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

function alertStatements(db: Db) {
  const same = db.prepare<[string, string], AlertRow>(
    'SELECT * FROM alerts WHERE email_key = ? AND search = ? AND ended_at IS NULL',
  );
  const insert = db.prepare(
    `INSERT INTO alerts (alert_id, account, consumer, email, email_key, brand, search, title,
       unsubscribe_token, created_at, seen_row, last_run_at, confirmed_at)
     VALUES (@id, @account, @consumer, @email, @emailKey, @brand, @search, @title, @token, @at, @seenRow, @at,
       @confirmedAt)`,
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
    `SELECT * FROM alerts WHERE ended_at IS NULL AND confirmed_at IS NOT NULL AND last_run_at < ?
     ORDER BY last_run_at LIMIT ?`,
  );
  const confirm = db.prepare(
    `UPDATE alerts SET confirmed_at = ? WHERE unsubscribe_token = ? AND confirmed_at IS NULL
     AND ended_at IS NULL`,
  );
  const sweep = db.prepare('DELETE FROM alerts WHERE confirmed_at IS NULL AND created_at <= ?');
  const run = db.prepare('UPDATE alerts SET last_run_at = ?, seen_row = ? WHERE alert_id = ?');
  return {
    same,
    insert,
    byId,
    byToken,
    ofAccount,
    ofOneAccount,
    ofConsumer,
    ofMailbox,
    endOwn,
    endNamed,
    due,
    confirm,
    sweep,
    run,
  };
}

export function createAlertStore(db: Db, now: () => number = Date.now): AlertStore {
  const statements = alertStatements(db);
  const isFull = ({ account, consumer }: Caller, mailbox: string): boolean =>
    account === undefined
      ? statements.ofMailbox.get(mailbox)! >= SIGNED_OUT_SAVED_SEARCHES ||
        (consumer !== undefined && statements.ofConsumer.get(consumer)! >= SIGNED_OUT_SAVED_SEARCHES)
      : statements.ofOneAccount.get(account)! >= MAX_ACCOUNT_ALERTS;

  return {
    subscribe: (subscription, onStored) =>
      db
        .transaction((): { alert: Alert; isNew: boolean } | 'LIMIT' => {
          const mailbox = emailKey(subscription.emailAddress);
          const present = statements.same.get(mailbox, subscription.search);
          if (present) return { alert: toAlert(present), isNew: false };
          if (isFull(subscription.caller, mailbox)) return 'LIMIT';
          const id = randomUUID();
          statements.insert.run({
            id,
            account: subscription.caller.account ?? null,
            consumer: subscription.caller.consumer ?? null,
            email: subscription.emailAddress,
            emailKey: mailbox,
            brand: subscription.brand,
            search: subscription.search,
            title: subscription.title,
            token: newUnsubscribeToken(),
            at: now(),
            seenRow: subscription.seenRow,
            confirmedAt: subscription.isVerified ? now() : null,
          });
          const alert = toAlert(statements.byId.get(id)!);
          onStored(alert);
          return { alert, isNew: true };
        })
        .immediate(),
    confirmByToken: (token, onConfirmed) =>
      db
        .transaction(() => {
          const isFirst = statements.confirm.run(now(), token).changes > 0;
          const row = statements.byToken.get(token);
          if (!row || row.ended_at !== null) return undefined;
          const alert = toAlert(row);
          if (isFirst) onConfirmed(alert);
          return alert;
        })
        .immediate(),
    sweep: () => statements.sweep.run(now() - CONFIRMATION_MS).changes,
    ofAccount: (account) => statements.ofAccount.all(account).map(toAlert),
    end: (account, alertId) => statements.endOwn.run(now(), alertId, account).changes > 0,
    endByToken(token) {
      statements.endNamed.run(now(), token);
      const row = statements.byToken.get(token);
      return row && toAlert(row);
    },
    byToken(token) {
      const row = statements.byToken.get(token);
      return row && { ...toAlert(row), ...stateOf(row) };
    },
    due: (before, limit) => statements.due.all(before, limit).map(toAlert),
    recordRun: (alertId, seenRow, onStored) =>
      db
        .transaction(() => {
          statements.run.run(now(), seenRow, alertId);
          onStored?.();
        })
        .immediate(),
  };
}
