import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PersonalData } from '@forecourt/service-kit/personalData';
import type { Sql } from '@forecourt/service-kit/sql';
import { openSqlite } from '@forecourt/service-kit/sqlite';

/** Folder of the numbered SQL files, for both databases. */
export const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Opens the accounts in a SQLite file: commits are flushed to disk. */
export const openFile = (path: string): Sql =>
  openSqlite(path, { durability: 'full', migrations: MIGRATIONS });

/** What the database holds of persons (infra/docs/personal-data.md). */
export const IDENTITY_DATA: PersonalData = {
  account: {
    what: 'name, email address and hash of the password',
    why: 'to sign in',
    until: 'its deletion on the account’s page',
    seenBy: 'the account; the shell and the marketplace API, by id token',
    columns: ['id', 'email', 'email_key', 'name', 'password_hash'],
  },
  artifact: {
    what: 'sessions, grants and tokens of an account',
    why: 'to stay signed in',
    until: 'expiry or revocation',
    seenBy: 'no one',
    columns: ['id', 'account_id', 'payload', 'uid', 'grant_id', 'user_code', 'model'],
  },
  link: {
    what: 'email address, and the purpose of an emailed link',
    why: 'to confirm an address, or to reset a password',
    until: 'use or expiry',
    seenBy: 'the recipient',
    columns: ['hash', 'email_key', 'payload', 'purpose'],
  },
  mail: {
    what: 'recipient and text of an email',
    why: 'to deliver it',
    until: 'sending; 1 day at most',
    seenBy: 'the recipient',
    columns: ['recipient', 'subject', 'text', 'html'],
  },
  rate_count: {
    what: 'hash of a network address or email address; number of forms',
    why: 'to limit attempts; replicas over PostgreSQL only',
    until: 'the end of the limit’s window; 1 day at most',
    seenBy: 'no one',
    columns: ['key', 'hits'],
  },
};

export interface Account {
  /** The `sub` claim; never reused. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
interface Credentials extends Account {
  readonly passwordHash: string;
}
interface StoredAccount extends Credentials {
  /** An operator disabled it: nobody signs in, and its address stays taken. */
  readonly isDisabled: boolean;
}

export interface AccountStore {
  readonly byId: (id: string) => Promise<StoredAccount | undefined>;
  /** Case-insensitive. */
  readonly byEmail: (email: string) => Promise<StoredAccount | undefined>;
  /** Undefined when the address is taken. */
  readonly add: (account: Omit<Credentials, 'id'>) => Promise<Account | undefined>;
  readonly setPassword: (id: string, passwordHash: string) => Promise<void>;
  readonly setDisabled: (id: string, isDisabled: boolean) => Promise<void>;
  /** Deletes the account, and the links mailed to its address. */
  readonly remove: (id: string) => Promise<void>;
}

/** Normalized address: in practice no mail provider is case-sensitive. */
const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase();

interface Row {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  disabled_at: number | null;
}

/** `now` in ms. */
export function createAccountStore(sql: Sql, now: () => number = Date.now): AccountStore {
  const toAccount = (row: Row | undefined): StoredAccount | undefined =>
    row && {
      id: row.id,
      email: row.email,
      name: row.name,
      passwordHash: row.password_hash,
      isDisabled: row.disabled_at !== null,
    };
  return {
    byId: async (id) => toAccount(await sql.get<Row>('SELECT * FROM account WHERE id = ?', id)),
    byEmail: async (email) =>
      toAccount(await sql.get<Row>('SELECT * FROM account WHERE email_key = ?', emailKey(email))),
    async add({ email, name, passwordHash }) {
      const id = randomUUID();
      const added = await sql.run(
        `INSERT INTO account (id, email, email_key, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (email_key) DO NOTHING`,
        id,
        email,
        emailKey(email),
        name,
        passwordHash,
        now(),
      );
      return added === 1 ? { id, email, name } : undefined;
    },
    async setPassword(id, passwordHash) {
      await sql.run('UPDATE account SET password_hash = ? WHERE id = ?', passwordHash, id);
    },
    async setDisabled(id, isDisabled) {
      await sql.run('UPDATE account SET disabled_at = ? WHERE id = ?', isDisabled ? now() : null, id);
    },
    remove: (id) =>
      sql.transaction(async () => {
        await sql.run('DELETE FROM link WHERE email_key = (SELECT email_key FROM account WHERE id = ?)', id);
        await sql.run('DELETE FROM account WHERE id = ?', id);
      }),
  };
}

type LinkPurpose = 'sign-up' | 'reset';

/** ms until a mailed link expires. */
const LINK_LIFETIME_MS = 3_600_000;
const SECRET_BYTES = 32;

/** Single-use links that are mailed to an address and expire after an hour. */
export interface Links {
  /** Creates a link and returns its secret: 256 random bits, base64url. */
  readonly issue: (purpose: LinkPurpose, email: string, payload: object) => Promise<string>;
  /** Payload of a link, without using it up; undefined when it is used, expired or unknown. */
  readonly find: (purpose: LinkPurpose, secret: string) => Promise<unknown>;
  /** Uses up a link and all others of the same purpose and address; false when it was already used. */
  readonly use: (purpose: LinkPurpose, secret: string) => Promise<boolean>;
  /** Deletes expired links and returns their number. */
  readonly sweep: () => Promise<number>;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** `now` in ms. */
export function createLinks(sql: Sql, now: () => number = Date.now): Links {
  const select = (purpose: LinkPurpose, secret: string) =>
    sql.get<{ payload: string; email_key: string }>(
      'SELECT payload, email_key FROM link WHERE hash = ? AND purpose = ? AND expires_at > ?',
      hashOf(secret),
      purpose,
      now(),
    );
  return {
    async issue(purpose, email, payload) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      await sql.run(
        'INSERT INTO link (hash, purpose, email_key, payload, expires_at) VALUES (?, ?, ?, ?, ?)',
        hashOf(secret),
        purpose,
        emailKey(email),
        JSON.stringify(payload),
        now() + LINK_LIFETIME_MS,
      );
      return secret;
    },
    async find(purpose, secret) {
      const row = await select(purpose, secret);
      return row && (JSON.parse(row.payload) as unknown);
    },
    async use(purpose, secret) {
      const row = await select(purpose, secret);
      if (!row) return false;
      const removed = await sql.run(
        'DELETE FROM link WHERE email_key = ? AND purpose = ?',
        row.email_key,
        purpose,
      );
      return removed > 0;
    },
    sweep: () => sql.run('DELETE FROM link WHERE expires_at <= ?', now()),
  };
}
