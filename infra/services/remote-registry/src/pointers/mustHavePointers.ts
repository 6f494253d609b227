import { RegistryError } from '@forecourt/cli/release';
import type { PointerStore } from '../ports.ts';

/**
 * Refuses to start without pointers where there were some: shells would be told that no remote is live.
 * @throws RegistryError STORAGE_DAMAGED
 */
export async function mustHavePointers(
  pointers: Pick<PointerStore, 'readPointers' | 'readChanges'>,
  { lastRevision }: { readonly lastRevision: number },
): Promise<void> {
  if ((await pointers.readPointers()).revision > 0) return;
  const [change] = await pointers.readChanges({ limit: 1 });
  const revision = Math.max(lastRevision, change?.revision ?? 0);
  if (revision === 0) return;
  throw new RegistryError(
    'STORAGE_DAMAGED',
    `remote-registry: pointers.json is missing or empty, but the log and history go up to revision ${revision}; ` +
      `restore it from a backup, or, to begin without live releases, create it with {"revision": ${revision}, "remotes": {}, "history": {}}`,
  );
}
