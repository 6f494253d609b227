import { join } from 'node:path';
import { type Db, openDatabase as open } from '@forecourt/durable/database';

export type { Db };

/** Opens the accounts database: commits are flushed to disk, and only the process's user can read the file. */
export const openDatabase = (path: string): Db =>
  open(path, {
    durability: 'full',
    migrations: join(import.meta.dirname, 'migrations'),
    isPrivate: true,
  });
