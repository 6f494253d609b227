import { join } from 'node:path';
import { type Db, openDatabase as open, SchemaTooNewError } from '@forecourt/durable/database';

export { type Db, SchemaTooNewError };

/** For the inventory; other databases have their own. */
const INVENTORY_MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Opens the inventory, which can be rebuilt, or a database with its own migrations. */
export const openDatabase = (
  path: string,
  options: { readonly durability?: 'full' | 'normal'; readonly migrations?: string } = {},
): Db => open(path, { durability: 'normal', migrations: INVENTORY_MIGRATIONS, ...options });
