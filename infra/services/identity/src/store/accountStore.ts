import { join } from 'node:path';
import { type Db, openDatabase as open } from '@forecourt/durable/database';
import { createHash, randomBytes, randomUUID } from 'node:crypto';

export type { Db };

/** Opens the accounts database: commits are flushed to disk. */
export const openDatabase = (path: string): Db =>
  open(path, {
    durability: 'full',
    migrations: join(import.meta.dirname, 'migrations'),
  });

export interface Account {
  /** The `sub` claim; never reused. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
interface AccountWithHash extends Account {
  readonly passwordHash: string;
}

export interface AccountStore {
  readonly byId: (id: string) => AccountWithHash | undefined;
  /** Case-insensitive. */
  readonly byEmail: (email: string) => AccountWithHash | undefined;
  /** Undefined when the address is taken. */
  readonly add: (account: Omit<AccountWithHash, 'id'>) => Account | undefined;
  readonly setPassword: (id: string, passwordHash: string) => void;
}

/** Normalized address: in practice no mail provider is case-sensitive. */
const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase();

interface Row {
  id: string;
  email: string;
  name: string;
  password_hash: string;
}

/** Accounts in SQLite. `now` in ms. */
export function createAccountStore(db: Db, now: () => number = Date.now): AccountStore {
  const selectById = db.prepare<[string], Row>('SELECT * FROM account WHERE id = ?');
  const selectByKey = db.prepare<[string], Row>('SELECT * FROM account WHERE email_key = ?');
  const insert = db.prepare(
    'INSERT INTO account (id, email, email_key, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING',
  );
  const setPassword = db.prepare('UPDATE account SET password_hash = ? WHERE id = ?');
  const toAccount = (row: Row | undefined): AccountWithHash | undefined =>
    row && { id: row.id, email: row.email, name: row.name, passwordHash: row.password_hash };
  return {
    byId: (id) => toAccount(selectById.get(id)),
    byEmail: (email) => toAccount(selectByKey.get(emailKey(email))),
    add({ email, name, passwordHash }) {
      const id = randomUUID();
      const { changes } = insert.run(id, email, emailKey(email), name, passwordHash, now());
      return changes === 1 ? { id, email, name } : undefined;
    },
    setPassword: (id, passwordHash) => void setPassword.run(passwordHash, id),
  };
}

type LinkPurpose = 'sign-up' | 'reset';

/** ms until a mailed link expires. */
const LINK_LIFETIME_MS = 3_600_000;
const SECRET_BYTES = 32;

/** Single-use links that are mailed to an address and expire after an hour. */
export interface Links {
  /** Creates a link and returns its secret: 256 random bits, base64url. */
  readonly issue: (purpose: LinkPurpose, email: string, payload: object) => string;
  /** Payload of a link, without using it up; undefined when it is used, expired or unknown. */
  readonly find: (purpose: LinkPurpose, secret: string) => unknown;
  /** Uses up a link and all others of the same purpose and address; false when it was already used. */
  readonly use: (purpose: LinkPurpose, secret: string) => boolean;
  /** Deletes expired links and returns their number. */
  readonly sweep: () => number;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** `now` in ms. */
export function createLinks(db: Db, now: () => number = Date.now): Links {
  const insert = db.prepare('INSERT INTO link VALUES (?, ?, ?, ?, ?)');
  const select = db.prepare<[string, string, number], { payload: string; email_key: string }>(
    'SELECT payload, email_key FROM link WHERE hash = ? AND purpose = ? AND expires_at > ?',
  );
  const removeAll = db.prepare('DELETE FROM link WHERE email_key = ? AND purpose = ?');
  const sweep = db.prepare('DELETE FROM link WHERE expires_at <= ?');
  return {
    issue(purpose, email, payload) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      insert.run(hashOf(secret), purpose, emailKey(email), JSON.stringify(payload), now() + LINK_LIFETIME_MS);
      return secret;
    },
    find(purpose, secret) {
      const row = select.get(hashOf(secret), purpose, now());
      return row && (JSON.parse(row.payload) as unknown);
    },
    use: (purpose, secret) => {
      const row = select.get(hashOf(secret), purpose, now());
      return row !== undefined && removeAll.run(row.email_key, purpose).changes > 0;
    },
    sweep: () => sweep.run(now()).changes,
  };
}
