import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLink, integrityOf } from '../rendering/release.ts';
import { createPageScripts, type PageScripts } from './inlineScripts.ts';

/** The shell's own built files for the browser. */
export interface ShellAssets {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Hash of all files, part of their URLs, so that each build has distinct URLs. */
  readonly build: string;
  /** Inline scripts of every page; they load the entry. */
  readonly scripts: PageScripts;
  /** Entry script, which `scripts` load. */
  readonly entry: FileLink;
  /** The shell's styles for every page, inlined. */
  readonly css: string;
  /** The same as files, for shadow roots. */
  readonly styles: readonly FileLink[];
  /** The same for the results page: inlined styles of the first view, and a file with the rest. */
  readonly firstViewCss: string;
  readonly laterStyles: readonly FileLink[];
}

export const SHELL_FILES = '/assets';
/** Named by the build's rule for `*.later.css`. */
const LATER_CSS = 'later.css';

/** Reads the built files of `dist` once. Throws when the shell is not built. */
export function readShellAssets(dist: string): ShellAssets {
  const directory = join(dist, 'web');
  const files = new Map(
    readdirSync(directory)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, readFileSync(join(directory, name))]),
  );
  const entryBytes = files.get('shell.js');
  if (!entryBytes) throw new Error(`the shell is not built: no entry script in ${directory}`);
  const hash = createHash('sha256');
  for (const [name, bytes] of [...files].sort(([left], [right]) => (left < right ? -1 : 1)))
    hash.update(name).update(bytes);
  const build = hash.digest('hex').slice(0, 12);
  const stylesOf = (isWanted: (name: string) => boolean) =>
    [...files]
      .filter(([name]) => name.endsWith('.css') && isWanted(name))
      .map(([, bytes]) => bytes.toString('utf8'))
      .join('\n');
  const link = (name: string, bytes: Buffer): FileLink => ({
    url: `${SHELL_FILES}/${build}/${name}`,
    integrity: integrityOf(bytes),
  });
  const entry = link('shell.js', entryBytes);
  const firstViewCss = stylesOf((name) => name !== LATER_CSS);
  const later = files.get(LATER_CSS);
  return {
    files,
    build,
    entry,
    scripts: createPageScripts(entry, readFileSync(join(dist, 'early/early.js'), 'utf8')),
    styles: [...files].filter(([name]) => name.endsWith('.css')).map(([name, bytes]) => link(name, bytes)),
    css: `${firstViewCss}\n${stylesOf((name) => name === LATER_CSS)}`,
    firstViewCss,
    laterStyles: later ? [link(LATER_CSS, later)] : [],
  };
}
