import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Sql } from '@forecourt/service-kit/sql';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '@forecourt/service-kit/privateFiles';

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

const KEYS_FILE = 'identity-keys.json';

/** Reads the keys. Replicas need the same ones, so none of them may generate its own. Throws when the file is invalid. */
export const readKeys = (directory: string): Keys =>
  keysSchema.parse(JSON.parse(readFileSync(join(directory, KEYS_FILE), 'utf8')));

/**
 * Reads the keys from `identity-keys.json`, or generates them on the first
 * start. The file is readable by the process's user only. Processes that start
 * at the same time get the same keys. Throws when the file is invalid.
 */
export function readOrCreateKeys(directory: string): Keys {
  mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
  const file = join(directory, KEYS_FILE);
  const draft = `${file}.${process.pid}`;
  try {
    return readKeys(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, JSON.stringify(generateKeys()), { mode: PRIVATE_FILE, flush: true });
  try {
    // Linking is atomic, and fails when another process was first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readKeys(directory);
}

interface Row {
  payload: string;
  consumed_at: number | null;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** Storage adapter of oidc-provider. */
export function createAdapterFactory(sql: Sql): (model: string) => Adapter {
  const find = async (model: string, column: 'id' | 'uid' | 'user_code', value: string) => {
    const row = await sql.get<Row>(
      `SELECT payload, consumed_at FROM artifact
       WHERE model = ? AND ${column} = ? AND (expires_at IS NULL OR expires_at > ?)`,
      model,
      value,
      seconds(),
    );
    return (
      row && {
        ...(JSON.parse(row.payload) as AdapterPayload),
        ...(row.consumed_at === null ? {} : { consumed: row.consumed_at }),
      }
    );
  };

  return (model) => ({
    async upsert(id, payload, expiresIn) {
      await sql.run(
        `INSERT INTO artifact (model, id, payload, account_id, grant_id, uid, user_code, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, account_id = excluded.account_id,
           grant_id = excluded.grant_id, uid = excluded.uid, user_code = excluded.user_code,
           expires_at = excluded.expires_at`,
        model,
        id,
        JSON.stringify(payload),
        payload.accountId ?? null,
        payload.grantId ?? null,
        payload.uid ?? null,
        payload.userCode ?? null,
        expiresIn ? seconds() + expiresIn : null,
      );
    },
    find: (id) => find(model, 'id', id),
    findByUid: (uid) => find(model, 'uid', uid),
    findByUserCode: (userCode) => find(model, 'user_code', userCode),
    async consume(id) {
      await sql.run('UPDATE artifact SET consumed_at = ? WHERE model = ? AND id = ?', seconds(), model, id);
    },
    async destroy(id) {
      await sql.run('DELETE FROM artifact WHERE model = ? AND id = ?', model, id);
    },
    async revokeByGrantId(grantId) {
      await sql.run('DELETE FROM artifact WHERE grant_id = ?', grantId);
    },
  });
}

/** Deletes expired artifacts and returns their number. */
export const sweepArtifacts = (sql: Sql): Promise<number> =>
  sql.run('DELETE FROM artifact WHERE expires_at <= ?', seconds());

/** A session that ended, by its name at one client. */
export interface EndedSession {
  readonly accountId: string;
  readonly clientId: string;
  readonly sid: string;
}

/** Ends all sessions and tokens of an account, except the session `exceptUid`. Resolves to what ended at each client. */
export type EndSessions = (accountId: string, exceptUid?: string) => Promise<readonly EndedSession[]>;

/** What oidc-provider stores of a session. */
const sessionSchema = z.object({
  authorizations: z.record(z.string(), z.object({ sid: z.string().optional() })).default({}),
});

export const createEndSessions =
  (sql: Sql): EndSessions =>
  async (accountId, exceptUid = '') => {
    const sessions = await sql.all<Pick<Row, 'payload'>>(
      `SELECT payload FROM artifact
       WHERE model = 'Session' AND account_id = ? AND (uid IS NULL OR uid <> ?)`,
      accountId,
      exceptUid,
    );
    await sql.run(
      `DELETE FROM artifact
       WHERE model IN ('Session', 'Grant', 'RefreshToken', 'AccessToken', 'AuthorizationCode')
       AND account_id = ? AND (model <> 'Session' OR uid IS NULL OR uid <> ?)`,
      accountId,
      exceptUid,
    );
    return sessions.flatMap(({ payload }) => {
      const { authorizations } = sessionSchema.parse(JSON.parse(payload));
      return Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
        sid === undefined ? [] : [{ accountId, clientId, sid }],
      );
    });
  };
