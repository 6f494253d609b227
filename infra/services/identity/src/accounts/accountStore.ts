import { randomUUID } from 'node:crypto';
import type { Db } from '../store/database.ts';

export interface Account {
  /** The `sub` of its tokens; never used again. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
export interface AccountWithHash extends Account {
  readonly passwordHash: string;
}

export interface AccountStore {
  readonly byId: (id: string) => AccountWithHash | undefined;
  /** Whatever the case of the address. */
  readonly byEmail: (email: string) => AccountWithHash | undefined;
  /** Undefined when somebody has the address already. */
  readonly add: (account: Omit<AccountWithHash, 'id'>) => Account | undefined;
  readonly setPassword: (id: string, passwordHash: string) => void;
}

/** One mailbox, one key: in practice no provider tells addresses apart by case. */
export const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase();

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
