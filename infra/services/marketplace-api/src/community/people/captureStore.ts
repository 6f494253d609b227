import type { Sql } from '@forecourt/service-kit/sql';
import {
  type AlertRow,
  CONFIRMATION_MS,
  confirmation,
  emailKey,
  newUnsubscribeToken,
  type State,
  stateOf,
} from './subscriptionStore.ts';

export interface Capture {
  readonly email: string;
  readonly brand: string;
  readonly unsubscribeToken: string;
}

export interface CaptureStore {
  /** 'present' if the address is already subscribed or has been asked. `onStored` runs in the same transaction. */
  add(
    capture: { readonly email: string; readonly brand: string; readonly isVerified: boolean },
    onStored: (capture: Capture) => Promise<unknown>,
  ): Promise<'added' | 'present'>;
  /** Like that of alerts. */
  confirmByToken(
    token: string,
    onConfirmed: (capture: Capture) => Promise<unknown>,
  ): Promise<Capture | undefined>;
  sweep(): Promise<number>;
  /** Undefined for an unknown token. */
  endByToken(token: string): Promise<Capture | undefined>;
  byToken(token: string): Promise<(Capture & State) | undefined>;
}

type CaptureRow = Pick<AlertRow, 'email' | 'brand' | 'unsubscribe_token' | 'ended_at' | 'confirmed_at'>;

const toCapture = (row: CaptureRow): Capture => ({
  email: row.email,
  brand: row.brand,
  unsubscribeToken: row.unsubscribe_token,
});

export function createCaptureStore(sql: Sql, now: () => number = Date.now): CaptureStore {
  const find = (key: string, brand: string) =>
    sql.get<CaptureRow>('SELECT * FROM captures WHERE email_key = ? AND brand = ?', key, brand);
  const byToken = (token: string) =>
    sql.get<CaptureRow>('SELECT * FROM captures WHERE unsubscribe_token = ?', token);
  return {
    add: ({ email, brand, isVerified }, onStored) =>
      sql.transaction(async () => {
        const key = emailKey(email);
        if ((await find(key, brand))?.ended_at === null) return 'present';
        await sql.run(
          `INSERT INTO captures (email_key, brand, email, unsubscribe_token, created_at, confirmed_at)
           VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (email_key, brand) DO UPDATE SET ended_at = NULL, email = excluded.email,
             created_at = excluded.created_at, confirmed_at = excluded.confirmed_at`,
          key,
          brand,
          email,
          newUnsubscribeToken(),
          now(),
          isVerified ? now() : null,
        );
        await onStored(toCapture((await find(key, brand))!));
        return 'added';
      }),
    confirmByToken: (token, onConfirmed) =>
      sql.transaction(async () => {
        const isFirst = (await sql.run(confirmation('captures'), now(), token)) > 0;
        const row = await byToken(token);
        if (!row || row.ended_at !== null) return undefined;
        if (isFirst) await onConfirmed(toCapture(row));
        return toCapture(row);
      }),
    sweep: () =>
      sql.run('DELETE FROM captures WHERE confirmed_at IS NULL AND created_at <= ?', now() - CONFIRMATION_MS),
    async endByToken(token) {
      await sql.run(
        'UPDATE captures SET ended_at = ? WHERE unsubscribe_token = ? AND ended_at IS NULL',
        now(),
        token,
      );
      const row = await byToken(token);
      return row && toCapture(row);
    },
    async byToken(token) {
      const row = await byToken(token);
      return row && { ...toCapture(row), ...stateOf(row) };
    },
  };
}
