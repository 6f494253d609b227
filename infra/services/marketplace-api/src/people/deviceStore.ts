import { createHash } from 'node:crypto';
import type { Device } from '../http/callTypes.ts';
import type { Caller } from './caller.ts';
import type { Db } from '../store/database.ts';

interface RegisteredDevice {
  readonly tokenHash: string;
  readonly token: string;
  readonly brand: string;
  readonly registeredAt: number;
}

export interface DeviceStore {
  /** Registers a browser; another account that signs in there takes it over. */
  register(device: Device, caller: Caller): void;
  forget(token: string): void;
  forgetHash(tokenHash: string): void;
  ofAccount(account: string): RegisteredDevice[];
  count(): number;
}

interface Row {
  readonly token_hash: string;
  readonly token: string;
  readonly brand: string;
  readonly registered_at: number;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export function createDeviceStore(db: Db, now: () => number = Date.now): DeviceStore {
  const upsert = db.prepare(
    `INSERT INTO devices (token_hash, token, brand, pixall_id, account, registered_at)
     VALUES (@hash, @token, @brand, @pixallId, @account, @at)
     ON CONFLICT (token_hash) DO UPDATE SET brand = @brand, pixall_id = @pixallId,
       account = coalesce(@account, account), registered_at = @at`,
  );
  const remove = db.prepare('DELETE FROM devices WHERE token_hash = ?');
  const ofAccount = db.prepare<[string], Row>(
    'SELECT * FROM devices WHERE account = ? ORDER BY registered_at',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM devices').pluck();
  return {
    register({ brand, pixall_id: pixallId, browser_token: token }, { account }) {
      upsert.run({ hash: hashOf(token), token, brand, pixallId, account: account ?? null, at: now() });
    },
    forget: (token) => void remove.run(hashOf(token)),
    forgetHash: (hash) => void remove.run(hash),
    ofAccount: (account) =>
      ofAccount.all(account).map((row) => ({
        tokenHash: row.token_hash,
        token: row.token,
        brand: row.brand,
        registeredAt: row.registered_at,
      })),
    count: () => count.get()!,
  };
}
