import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';

/**
 * Scripts that the release would load without integrity: no other of its
 * scripts names theirs. The entry's is in the page. A browser takes a script
 * element whose integrity is `undefined` for one without, and says so only in
 * its console, so the build has to look.
 */
export function unguardedScripts(
  { files, entry }: Pick<ReleaseManifest, 'files' | 'entry'>,
  read: (path: string) => string,
): string[] {
  const scripts = Object.keys(files).filter((path) => path.startsWith('web/') && path.endsWith('.js'));
  const sources = scripts.map((path) => read(path)).join('\n');
  return scripts.filter((path) => path !== entry.web && !sources.includes(files[path]?.integrity ?? path));
}
