import { join } from 'node:path';
import { type Db, openDatabase as open } from '@forecourt/durable/database';

export type { Db };

/** The accounts' database: a commit is on the disk before it returns, and only the process's own user reads the file. */
export const openDatabase = (path: string): Db =>
  open(path, {
    durability: 'full',
    migrations: join(import.meta.dirname, 'migrations'),
    isPrivate: true,
  });
