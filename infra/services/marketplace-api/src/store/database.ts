import { join } from 'node:path';
import { type Db, openDatabase as open, SchemaTooNewError } from '@forecourt/durable/database';

export { type Db, SchemaTooNewError };

/** Inventory's own; other files bring theirs. */
const INVENTORY_MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Opens the file of the inventory, which can be made or imported again, or one with migrations of its own. */
export const openDatabase = (
  path: string,
  options: { readonly durability?: 'full' | 'normal'; readonly migrations?: string } = {},
): Db => open(path, { durability: 'normal', migrations: INVENTORY_MIGRATIONS, ...options });
