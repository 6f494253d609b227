import type { StoredValue } from '@forecourt/shared-contracts/store';

/** Puts an id before those that are kept, once. */
export function keepId(list: StoredValue<readonly string[]>, id: string): void {
  list.write([id, ...list.read().filter((other) => other !== id)]);
}
