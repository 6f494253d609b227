import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RemoteNames } from './remoteNames.ts';

/** A whole remote, linted, type-checked and tested like any other; its names stand for those of the new one. */
export const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url));

const rename = (text: string, { remote, slot, component, title }: RemoteNames): string =>
  text
    .replaceAll('mfe-sample', remote)
    .replaceAll('sample-panel', slot)
    .replaceAll('SamplePanel', component)
    .replaceAll('Sample panel', title)
    .replaceAll('sample panel', title.toLowerCase());

/** Path below the repository, with forward slashes, to the text of each file of the new remote. */
export function filesOfTemplate(names: RemoteNames): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const inside = relative(TEMPLATE, path).split(sep).join('/');
    files.set(`${names.remote}/${rename(inside, names)}`, rename(readFileSync(path, 'utf8'), names));
  }
  return files;
}
