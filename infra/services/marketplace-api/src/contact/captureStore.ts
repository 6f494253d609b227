import { emailKey } from '../people/emailKey.ts';
import { newUnsubscribeToken } from '../alerts/alertStore.ts';
import type { Db } from '../store/database.ts';

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

interface Row {
  readonly email: string;
  readonly brand: string;
  readonly unsubscribe_token: string;
  readonly ended_at: number | null;
}

const toCapture = (row: Row): Capture => ({
  email: row.email,
  brand: row.brand,
  unsubscribeToken: row.unsubscribe_token,
});

export function createCaptureStore(db: Db, now: () => number = Date.now): CaptureStore {
  const find = db.prepare<[string, string], Row>('SELECT * FROM captures WHERE email_key = ? AND brand = ?');
  const byToken = db.prepare<[string], Row>('SELECT * FROM captures WHERE unsubscribe_token = ?');
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
