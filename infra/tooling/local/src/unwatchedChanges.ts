import { watch } from 'node:fs';
import { join, relative } from 'node:path';

const SOURCE = /\/src\/.*\.(?:[cm]?tsx?|css|json)$/;
const TEST = /\.test\.tsx?$|\/testing\//;
/** Editors write a file several times. */
const QUIET_MS = 1_000;

/**
 * Tells of changed sources below `folders` from which nothing is built at the moment, because somebody waits for them to show.
 * Returns what ends it.
 */
export function tellUnwatchedChanges(
  root: string,
  folders: readonly string[],
  {
    isWatched,
    tell,
  }: { readonly isWatched: (path: string) => boolean; readonly tell: (path: string) => void },
): () => void {
  const told = new Map<string, number>();
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name === null) return;
      const path = join(root, folder, name);
      const shown = relative(root, path).replaceAll('\\', '/');
      if (!SOURCE.test(shown) || TEST.test(shown) || shown.includes('node_modules') || isWatched(path))
        return;
      const now = performance.now();
      if (now - (told.get(path) ?? -QUIET_MS) < QUIET_MS) return;
      told.set(path, now);
      tell(shown);
    }),
  );
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
