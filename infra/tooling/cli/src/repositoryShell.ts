import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { slotsByRemote } from '@forecourt/shared-contracts/slots/gate';

type Placements = Parameters<typeof slotsByRemote>[0];

/** The slots of the results page, or of each page kind. */
const LAYOUT_TABLE = /^export const (?:LAYOUT|PAGE_LAYOUTS)\b/m;

/** The nearest folder at or above `directory` that holds a shell; undefined outside a Forecourt repository. */
export function findRepository(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (findLayoutFile(folder) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The shell's layout table, wherever the shell keeps it; a path below `repository` with forward slashes. */
export function findLayoutFile(repository: string): string | undefined {
  const sources = join(repository, 'shell/src');
  if (!existsSync(sources)) return undefined;
  const file = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .sort()
    .find((path) => LAYOUT_TABLE.test(readFileSync(join(sources, path), 'utf8')));
  return file && `shell/src/${file.replaceAll('\\', '/')}`;
}

/** Remote to its slots on any page of the repository's shell, read without building the shell. */
export async function placedSlots(repository: string): Promise<Record<string, string[]>> {
  const file = findLayoutFile(repository);
  if (file === undefined) throw new Error(`no layout table in ${repository}/shell/src`);
  const module = (await import(pathToFileURL(join(repository, file)).href)) as {
    LAYOUT?: Placements;
    PAGE_LAYOUTS?: Readonly<Record<string, Placements>>;
  };
  return slotsByRemote(module.LAYOUT ?? Object.values(module.PAGE_LAYOUTS ?? {}).flat());
}
