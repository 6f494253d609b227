import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from './caller.ts';
import { SIGNED_OUT_SAVED_SEARCHES } from '../../domain/savedSearches.ts';
import type { AlertFrequency } from '@forecourt/upstream/entities';
import type { Sql } from '@forecourt/service-kit/sql';
import type { EmailAlert } from '../../domain/callTypes.ts';

/** Key of a mailbox: case is ignored; dots and tags are left to the mail server. */
export const emailKey = (address: string): string => address.trim().toLowerCase();

/** Most subscribed searches of one account. */
const MAX_ACCOUNT_ALERTS = 50;

export interface Alert extends EmailAlert {
  readonly unsubscribeToken: string;
  /** Newest listing row that its emails have covered, and the inventory that numbers the rows. */
  readonly seenRow: number;
  readonly inventory: string | null;
  /** ms since 1970. */
  readonly lastRunAt: number;
}

interface NewAlert {
  readonly caller: Caller;
  readonly emailAddress: string;
  readonly brand: string;
  /** Normalized query of the results page: equal searches have equal texts. */
  readonly search: string;
  readonly title: string;
  readonly seenRow: number;
  readonly inventory: string;
  readonly frequency?: AlertFrequency | undefined;
  /** The address is the caller's own verified one: nothing is left to confirm. */
  readonly isVerified: boolean;
}

/** ms that an unconfirmed subscription waits for its confirmation. */
export const CONFIRMATION_MS = 2 * 86_400_000;

export interface AlertStore {
  /**
   * Subscribes once to a search. 'LIMIT' above the caller's limit: signed out,
   * two per mailbox and per browser. `onStored` runs in
   * the same transaction.
   */
  subscribe(
    alert: NewAlert,
    onStored: (stored: Alert) => Promise<unknown>,
  ): Promise<{ alert: Alert; isNew: boolean } | 'LIMIT'>;
  /** Confirms the alert of an email's link; undefined for an unknown or ended one. `onConfirmed` runs the first time. */
  confirmByToken(token: string, onConfirmed: (alert: Alert) => Promise<unknown>): Promise<Alert | undefined>;
  /** Deletes subscriptions that were never confirmed; returns their number. */
  sweep(): Promise<number>;
  ofAccount(account: string): Promise<Alert[]>;
  /** Ends one of the account's alerts; false for an unknown one. */
  end(account: string, alertId: string): Promise<boolean>;
  /** Ends the alert of an email's link; returns it even if it had already ended. */
  endByToken(token: string): Promise<Alert | undefined>;
  byToken(token: string): Promise<(Alert & State) | undefined>;
  /** Confirmed alerts whose last run was before `before`, or before `atOnce` if they may follow at once; oldest first. */
  due(before: number, limit: number, atOnce?: number): Promise<Alert[]>;
  /** Records a run, unless another process has run the alert since; `onStored` runs in the same transaction. */
  recordRun(
    alert: Alert,
    seen: { readonly row: number; readonly inventory: string },
    onStored?: () => Promise<unknown>,
  ): Promise<boolean>;
}

export interface AlertRow {
  readonly alert_id: string;
  readonly email: string;
  readonly brand: string;
  readonly search: string;
  readonly title: string;
  readonly frequency: AlertFrequency;
  readonly unsubscribe_token: string;
  readonly created_at: number;
  readonly seen_row: number;
  readonly inventory: string | null;
  readonly last_run_at: number;
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
  frequency: row.frequency,
  unsubscribeToken: row.unsubscribe_token,
  seenRow: row.seen_row,
  inventory: row.inventory,
  lastRunAt: row.last_run_at,
});

/** What an account sees of its alert. */
export const publicAlert = ({
  alertId,
  emailAddress,
  brand,
  search,
  title,
  createdAt,
  frequency,
}: Alert): EmailAlert => ({
  alertId,
  emailAddress,
  brand,
  search,
  title,
  createdAt,
  frequency,
});

export const newUnsubscribeToken = (): string => randomBytes(24).toString('base64url');

/** Confirms the subscription of a token, once. */
export const confirmation = (table: 'alerts' | 'captures'): string =>
  `UPDATE ${table} SET confirmed_at = ? WHERE unsubscribe_token = ? AND confirmed_at IS NULL AND ended_at IS NULL`;

const insertAlert = (sql: Sql, { caller, ...alert }: NewAlert, id: string, at: number): Promise<number> =>
  sql.run(
    `INSERT INTO alerts (alert_id, account, consumer, email, email_key, brand, search, title,
       unsubscribe_token, created_at, seen_row, inventory, last_run_at, confirmed_at, frequency)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    caller.account ?? null,
    caller.consumer ?? null,
    alert.emailAddress,
    emailKey(alert.emailAddress),
    alert.brand,
    alert.search,
    alert.title,
    newUnsubscribeToken(),
    at,
    alert.seenRow,
    alert.inventory,
    at,
    alert.isVerified ? at : null,
    alert.frequency ?? 'daily',
  );

/** What the owner of the address changes about an alert: how often, and that it is confirmed and in the account. */
const changeAlert = (
  sql: Sql,
  present: AlertRow,
  { caller, frequency }: NewAlert,
  at: number,
): Promise<number> =>
  sql.run(
    `UPDATE alerts SET frequency = ?, account = coalesce(account, ?), confirmed_at = coalesce(confirmed_at, ?)
     WHERE alert_id = ?`,
    frequency ?? present.frequency,
    caller.account ?? null,
    at,
    present.alert_id,
  );

/** Whether a caller or mailbox has as many alerts as it may. */
function createAlertLimits(sql: Sql) {
  const count = async (column: 'account' | 'consumer' | 'email_key', value: string): Promise<number> => {
    const ofVisitors = column === 'account' ? '' : 'AND account IS NULL';
    const text = `SELECT count(*) AS n FROM alerts WHERE ${column} = ? AND ended_at IS NULL ${ofVisitors}`;
    return (await sql.get<{ n: number }>(text, value))!.n;
  };
  return async ({ account, consumer }: Caller, mailbox: string): Promise<boolean> =>
    account === undefined
      ? (await count('email_key', mailbox)) >= SIGNED_OUT_SAVED_SEARCHES ||
        (consumer !== undefined && (await count('consumer', consumer)) >= SIGNED_OUT_SAVED_SEARCHES)
      : (await count('account', account)) >= MAX_ACCOUNT_ALERTS;
}

function runRecorder(sql: Sql, now: () => number): AlertStore['recordRun'] {
  return ({ alertId, lastRunAt }, { row, inventory }, onStored) =>
    sql.transaction(async () => {
      const changes = await sql.run(
        `UPDATE alerts SET last_run_at = ?, seen_row = ?, inventory = ?
           WHERE alert_id = ? AND last_run_at = ?`,
        now(),
        row,
        inventory,
        alertId,
        lastRunAt,
      );
      if (changes === 1) await onStored?.();
      return changes === 1;
    });
}

export function createAlertStore(sql: Sql, now: () => number = Date.now): AlertStore {
  const byToken = (token: string) =>
    sql.get<AlertRow>('SELECT * FROM alerts WHERE unsubscribe_token = ?', token);
  const isFull = createAlertLimits(sql);

  return {
    subscribe: (subscription, onStored) =>
      sql.transaction(async () => {
        const mailbox = emailKey(subscription.emailAddress);
        const present = await sql.get<AlertRow>(
          'SELECT * FROM alerts WHERE email_key = ? AND search = ? AND ended_at IS NULL',
          mailbox,
          subscription.search,
        );
        const stored = async (id: string) =>
          toAlert((await sql.get<AlertRow>('SELECT * FROM alerts WHERE alert_id = ?', id))!);
        if (present) {
          if (subscription.isVerified) await changeAlert(sql, present, subscription, now());
          return { alert: await stored(present.alert_id), isNew: false };
        }
        if (await isFull(subscription.caller, mailbox)) return 'LIMIT';
        const id = randomUUID();
        await insertAlert(sql, subscription, id, now());
        const alert = await stored(id);
        await onStored(alert);
        return { alert, isNew: true };
      }),
    confirmByToken: (token, onConfirmed) =>
      sql.transaction(async () => {
        const isFirst = (await sql.run(confirmation('alerts'), now(), token)) > 0;
        const row = await byToken(token);
        if (!row || row.ended_at !== null) return undefined;
        if (isFirst) await onConfirmed(toAlert(row));
        return toAlert(row);
      }),
    sweep: () =>
      sql.run('DELETE FROM alerts WHERE confirmed_at IS NULL AND created_at <= ?', now() - CONFIRMATION_MS),
    async ofAccount(account) {
      const rows = await sql.all<AlertRow>(
        'SELECT * FROM alerts WHERE account = ? AND ended_at IS NULL ORDER BY created_at DESC, alert_id',
        account,
      );
      return rows.map(toAlert);
    },
    end: async (account, alertId) =>
      (await sql.run(
        'UPDATE alerts SET ended_at = ? WHERE alert_id = ? AND account = ? AND ended_at IS NULL',
        now(),
        alertId,
        account,
      )) > 0,
    async endByToken(token) {
      await sql.run(
        'UPDATE alerts SET ended_at = ? WHERE unsubscribe_token = ? AND ended_at IS NULL',
        now(),
        token,
      );
      const row = await byToken(token);
      return row && toAlert(row);
    },
    async byToken(token) {
      const row = await byToken(token);
      return row && { ...toAlert(row), ...stateOf(row) };
    },
    async due(before, limit, atOnce = before) {
      const rows = await sql.all<AlertRow>(
        `SELECT * FROM alerts WHERE ended_at IS NULL AND confirmed_at IS NOT NULL
           AND (last_run_at < ? OR (frequency = 'atOnce' AND last_run_at < ?))
         ORDER BY last_run_at LIMIT ?`,
        before,
        atOnce,
        limit,
      );
      return rows.map(toAlert);
    },
    recordRun: runRecorder(sql, now),
  };
}
