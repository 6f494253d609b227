import type { Db } from '@forecourt/durable/database';
import {
  type AlertRow,
  CONFIRMATION_MS,
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
    onStored: (capture: Capture) => void,
  ): 'added' | 'present';
  /** Like that of alerts. */
  confirmByToken(token: string, onConfirmed: (capture: Capture) => void): Capture | undefined;
  sweep(): number;
  /** Undefined for an unknown token. */
  endByToken(token: string): Capture | undefined;
  byToken(token: string): (Capture & State) | undefined;
}

type CaptureRow = Pick<AlertRow, 'email' | 'brand' | 'unsubscribe_token' | 'ended_at' | 'confirmed_at'>;

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
    `INSERT INTO captures (email_key, brand, email, unsubscribe_token, created_at, confirmed_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (email_key, brand) DO UPDATE SET ended_at = NULL, email = excluded.email,
       created_at = excluded.created_at, confirmed_at = excluded.confirmed_at`,
  );
  const end = db.prepare('UPDATE captures SET ended_at = ? WHERE unsubscribe_token = ? AND ended_at IS NULL');
  const confirm = db.prepare(
    `UPDATE captures SET confirmed_at = ? WHERE unsubscribe_token = ? AND confirmed_at IS NULL
     AND ended_at IS NULL`,
  );
  const sweep = db.prepare('DELETE FROM captures WHERE confirmed_at IS NULL AND created_at <= ?');
  return {
    add: ({ email, brand, isVerified }, onStored) =>
      db
        .transaction(() => {
          const key = emailKey(email);
          if (find.get(key, brand)?.ended_at === null) return 'present';
          upsert.run(key, brand, email, newUnsubscribeToken(), now(), isVerified ? now() : null);
          onStored(toCapture(find.get(key, brand)!));
          return 'added';
        })
        .immediate(),
    confirmByToken: (token, onConfirmed) =>
      db
        .transaction(() => {
          const isFirst = confirm.run(now(), token).changes > 0;
          const row = byToken.get(token);
          if (!row || row.ended_at !== null) return undefined;
          if (isFirst) onConfirmed(toCapture(row));
          return toCapture(row);
        })
        .immediate(),
    sweep: () => sweep.run(now() - CONFIRMATION_MS).changes,
    endByToken(token) {
      end.run(now(), token);
      const row = byToken.get(token);
      return row && toCapture(row);
    },
    byToken(token) {
      const row = byToken.get(token);
      return row && { ...toCapture(row), ...stateOf(row) };
    },
  };
}
