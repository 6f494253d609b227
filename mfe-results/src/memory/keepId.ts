import type { storedIds } from '@forecourt/shared-contracts/store';

/** Puts an id before those that are kept, once. */
export function keepId(list: ReturnType<typeof storedIds>, id: string): void {
  list.write([id, ...list.read().filter((other) => other !== id)]);
}
