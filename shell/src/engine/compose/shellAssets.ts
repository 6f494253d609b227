import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../site.ts';
import { BOOT_ELEMENT_ID } from '../universal/bootData.ts';
import { SHELL_FILES } from '../universal/paths.ts';
import { type FileLink, integrityOf } from '../rendering/release.ts';
import { type InlineElement, inlineScript, inlineSpeculationRules, jsonForScript } from './html.ts';

/** Trusted Types policy of the entry loader. */
const ENTRY_POLICY = 'forecourt#entry';

const PRELOADS_ELEMENT_ID = 'fc-preloads';

/**
 * Defines `fcStart`, which fetches the shell's entry and the scripts that the data block above lists, and runs the entry once
 * the page is parsed, like `defer`. The policy allows this one URL. The preloads are added by a script: `strict-dynamic`
 * would block those that the parser adds, which have no nonce.
 */
function starter({ url, integrity }: FileLink): string {
  const [href, hash] = [jsonForScript(url), jsonForScript(integrity)];
  return (
    `{const policy=self.trustedTypes?.createPolicy("${ENTRY_POLICY}",{createScriptURL:()=>${href}}),` +
    'read=id=>JSON.parse(document.getElementById(id)?.textContent??"{}"),' +
    'add=(tag,fields)=>document.head.append(Object.assign(document.createElement(tag),{crossOrigin:"anonymous",...fields})),' +
    'preload=(as,href,integrity="")=>add("link",{rel:"preload",as,fetchPriority:"low",integrity,href}),' +
    `run=()=>{const{content}=read("${BOOT_ELEMENT_ID}");if(typeof content=="string")preload("fetch",content);` +
    `add("script",{integrity:${hash},src:policy?policy.createScriptURL(""):${href}})};` +
    `self.fcStart=()=>{self.fcStart=()=>{};for(const file of[[${href},${hash}],...read("${PRELOADS_ELEMENT_ID}")])preload("script",...file);` +
    'if(document.readyState=="loading")addEventListener("DOMContentLoaded",run);else run()}}'
  );
}

/** The inline scripts of every page. They are the same for all pages of a build, so that the policy allows them by hash. */
interface PageScripts {
  /** Handles input before the page's scripts have loaded, and starts them; for the place after the main slot. */
  readonly early: InlineElement;
  /** Which pages the browser fetches ahead; for the end of the page. */
  readonly speculation: InlineElement;
}

/** `early` is the source of the built script for early input. */
export const createPageScripts = (entry: FileLink, early: string, speculationRules: object): PageScripts => ({
  early: inlineScript(`${starter(entry)}${early}`),
  speculation: inlineSpeculationRules(speculationRules),
});

/** Data for `early`, which must follow. */
export const preloadList = (files: readonly FileLink[]): string =>
  `<script type="application/json" id="${PRELOADS_ELEMENT_ID}">${jsonForScript(files.map(({ url, integrity }) => [url, integrity]))}</script>`;

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

/** Named by the build's rule for `*.later.css`. */
const LATER_CSS = 'later.css';

/** Reads the built files of `dist` once. Throws when the shell is not built. */
export function readShellAssets(
  dist: string,
  { speculationRules }: Pick<Site, 'speculationRules'>,
): ShellAssets {
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
    scripts: createPageScripts(entry, readFileSync(join(dist, 'early/early.js'), 'utf8'), speculationRules),
    styles: [...files].filter(([name]) => name.endsWith('.css')).map(([name, bytes]) => link(name, bytes)),
    css: `${firstViewCss}\n${stylesOf((name) => name === LATER_CSS)}`,
    firstViewCss,
    laterStyles: later ? [link(LATER_CSS, later)] : [],
  };
}
