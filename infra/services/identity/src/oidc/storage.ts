import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Db } from '../store/accountStore.ts';

const keysSchema = z.object({
  /** Token keys: the first one signs, all verify. */
  jwks: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })).min(1),
  /** Cookie and form keys: the first one signs, all verify. */
  cookieKeys: z.array(z.string().min(32)).min(1),
});
export type Keys = z.infer<typeof keysSchema>;

export const generateKeys = (): Keys => ({
  jwks: [
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      kty: 'EC',
      kid: randomBytes(8).toString('hex'),
      alg: 'ES256',
      use: 'sig',
    },
  ],
  cookieKeys: [randomBytes(32).toString('base64url')],
});

/**
 * Reads the keys from `identity-keys.json`, or generates them on the first
 * start. The file is readable by the process's user only. Processes that start
 * at the same time get the same keys. Throws when the file is invalid.
 */
export function readOrCreateKeys(directory: string): Keys {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'identity-keys.json');
  const draft = `${file}.${process.pid}`;
  const read = () => keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, JSON.stringify(generateKeys()), { mode: 0o600, flush: true });
  try {
    // Linking is atomic, and fails when another process was first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}

interface Row {
  payload: string;
  consumed_at: number | null;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** Storage adapter of oidc-provider for SQLite. */
export function createAdapterFactory(db: Db): (model: string) => Adapter {
  const unexpired = '(expires_at IS NULL OR expires_at > ?)';
  const upsert = db.prepare(
    `INSERT INTO artifact (model, id, payload, grant_id, uid, user_code, consumed_at, expires_at)
     VALUES (@model, @id, @payload, @grantId, @uid, @userCode, NULL, @expiresAt)
     ON CONFLICT (model, id) DO UPDATE SET payload = @payload, grant_id = @grantId, uid = @uid,
       user_code = @userCode, expires_at = @expiresAt`,
  );
  const select = (column: 'id' | 'uid' | 'user_code') =>
    db.prepare<[string, string, number], Row>(
      `SELECT payload, consumed_at FROM artifact WHERE model = ? AND ${column} = ? AND ${unexpired}`,
    );
  const [byId, byUid, byUserCode] = [select('id'), select('uid'), select('user_code')];
  const consume = db.prepare('UPDATE artifact SET consumed_at = ? WHERE model = ? AND id = ?');
  const remove = db.prepare('DELETE FROM artifact WHERE model = ? AND id = ?');
  const removeGrant = db.prepare('DELETE FROM artifact WHERE grant_id = ?');

  const read = (row: Row | undefined): AdapterPayload | undefined =>
    row && {
      ...(JSON.parse(row.payload) as AdapterPayload),
      ...(row.consumed_at === null ? {} : { consumed: row.consumed_at }),
    };

  return (model) => ({
    async upsert(id, payload, expiresIn) {
      upsert.run({
        model,
        id,
        payload: JSON.stringify(payload),
        grantId: payload.grantId ?? null,
        uid: payload.uid ?? null,
        userCode: payload.userCode ?? null,
        expiresAt: expiresIn ? seconds() + expiresIn : null,
      });
    },
    find: async (id) => read(byId.get(model, id, seconds())),
    findByUid: async (uid) => read(byUid.get(model, uid, seconds())),
    findByUserCode: async (userCode) => read(byUserCode.get(model, userCode, seconds())),
    async consume(id) {
      consume.run(seconds(), model, id);
    },
    async destroy(id) {
      remove.run(model, id);
    },
    async revokeByGrantId(grantId) {
      removeGrant.run(grantId);
    },
  });
}

/** Deletes expired artifacts and returns their number. */
export const sweepArtifacts = (db: Db): number =>
  db.prepare('DELETE FROM artifact WHERE expires_at <= ?').run(seconds()).changes;

/** Ends all sessions and tokens of an account, except the session `exceptUid`. */
export type EndSessions = (accountId: string, exceptUid?: string) => void;

export function createEndSessions(db: Db): EndSessions {
  const remove = db.prepare(
    `DELETE FROM artifact WHERE model IN ('Session', 'Grant', 'RefreshToken', 'AccessToken', 'AuthorizationCode')
     AND json_extract(payload, '$.accountId') = @accountId
     AND NOT (model = 'Session' AND uid IS @exceptUid)`,
  );
  return (accountId, exceptUid) => void remove.run({ accountId, exceptUid: exceptUid ?? '' });
}
