import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkStyles } from '@forecourt/releases/checkStyles';
import { checkCopies } from '@forecourt/releases/secondCopies';
import {
  type GateResult,
  type Provides,
  type Refusal,
  checkManifest,
  providesSchema,
} from '@forecourt/releases/gate';
import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/releases/manifest';
import { type CommandLine, UsageError, readRelease } from '../commandLine.ts';
import { downloadRelease } from '../trial/downloadRelease.ts';
import { pagesOfRepository, pagesOfShell, type RecordedPages } from '../trial/recordedPages.ts';
import { findChrome } from '../trial/tryInChrome.ts';
import { type BrowserReport, NO_CHROME, type SlotsReport, trySlots } from '../trial/trySlots.ts';
import { localProvides } from '../provides.ts';
import {
  callRegistry,
  callShellGate,
  RegistryCallError,
  sendByFetch,
} from '@forecourt/release-kit/registryClient';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { MANIFEST_FILE } from '@forecourt/release-kit/releaseFiles';
import { readBuiltDirectory } from '@forecourt/release-kit/archive';
import { verifyRelease } from '@forecourt/release-kit/verifyRelease';
import { type CommandResult, rejectExtraArguments } from './command.ts';
import { registerContract } from './dev.ts';

const describe = ({ rule, expected, found, remedy }: Record<keyof Refusal, string>): string =>
  [rule, `  expected  ${expected}`, `  found     ${found}`, `  do        ${remedy}`].join('\n');

function describeRenders(renders: GateResult['renders']): string {
  const slowest = renders.reduce<GateResult['renders'][number] | undefined>(
    (most, render) => (most && most.ms >= render.ms ? most : render),
    undefined,
  );
  return slowest
    ? `, ${renders.length} renders, the slowest ${slowest.slot} over '${slowest.context}' in ${slowest.ms} ms`
    : '';
}

/** Whether the slots of a release were hydrated in a browser, and if not, why. */
function describeBrowser(browser: BrowserReport | undefined): string {
  if (!browser) return '';
  if (browser.skipped !== undefined) return `; its slots were hydrated in no browser: ${browser.skipped}`;
  const { chrome, renders, evaluationMs } = browser;
  const slots = new Set(renders.map(({ slot }) => slot));
  return `; in ${chrome} it was evaluated in ${Math.round(evaluationMs)} ms, and its slots were hydrated ${renders.length} times: ${[...slots].join(', ')}`;
}

function describeResult(
  label: string,
  refusals: readonly Record<keyof Refusal, string>[],
  more = '',
  data: object = {},
): CommandResult {
  const isAccepted = refusals.length === 0;
  return {
    text: isAccepted
      ? `${label} is accepted${more}`
      : [`${label} is refused`, ...refusals.map(describe)].join('\n'),
    data: { release: label, isAccepted, refusals, ...data },
    hasProblem: !isAccepted,
  };
}

/** Gate check of a build, against the shell at `shell` or the installed packages. */
async function gateDirectory(
  directory: string,
  {
    shell,
    recording,
    environment,
    gateToken,
  }: Pick<CommandLine, 'shell' | 'recording' | 'environment' | 'gateToken'>,
): Promise<CommandResult> {
  const provides =
    shell === undefined
      ? await localProvides(process.cwd())
      : await callRegistry(
          { registryUrl: shell },
          { method: 'GET', path: '/releases/provides' },
          providesSchema,
        );
  const recorded = () =>
    shell === undefined ? pagesOfRepository(process.cwd()) : pagesOfShell(shell, gateToken);
  const chrome = findChrome(environment);
  const { release, refusals, browser } = await checkBuild(directory, provides, { chrome, recorded });
  const loads = `, and both of its sides load${describeBrowser(browser)}`;
  if (recording === undefined || release === undefined)
    return describeResult(release ?? directory, refusals, loads, { browser });
  const { misfits, ...playback } = await playBack(directory, recording);
  const { slots, played, heard, emitted } = playback;
  const more = `${loads}; ${played} recorded events were played: ${slots.join(', ')} heard ${heard.join(', ') || 'nothing'} and emitted ${emitted.join(', ') || 'nothing'}`;
  return describeResult(release, [...refusals, ...misfits], more, { browser, playback });
}

/** What jsdom lacks, as on an unscrolled page of a large screen. */
function addMissing(window: Record<string, unknown>): void {
  class Observer {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  const matchMedia = (media: string) => ({
    media,
    matches: media.includes('min-width'),
    addEventListener() {},
    removeEventListener() {},
  });
  Object.assign(window, {
    IntersectionObserver: Observer,
    ResizeObserver: Observer,
    PerformanceObserver: Observer,
    CSS: { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&'), supports: () => false },
    matchMedia,
    scrollTo() {},
  });
  const { HTMLDialogElement, Element, Event } = window as unknown as {
    HTMLDialogElement: { prototype: object };
    Element: { prototype: object };
    Event: new (type: string) => object;
  };
  Object.assign(Element.prototype, { scrollIntoView() {} });
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: { open: boolean }) {
      this.open = true;
    },
    close(this: { open: boolean; dispatchEvent: (event: object) => void }) {
      this.open = false;
      this.dispatchEvent(new Event('close'));
    },
  });
}

/** Browser globals, by the jsdom of the remote's Jest preset. @throws UsageError */
function openDom(directory: string): () => void {
  let dom: { readonly window: Record<string, unknown> & { close: () => void } };
  try {
    const preset = createRequire(join(directory, 'package.json')).resolve('jest-environment-jsdom');
    const { JSDOM } = createRequire(preset)('jsdom') as {
      JSDOM: new (html: string, options: object) => typeof dom;
    };
    const options = { url: 'https://page.example/', pretendToBeVisual: true };
    dom = new JSDOM('<!doctype html><body></body>', options);
  } catch (error) {
    throw new UsageError(`--recording needs jest-environment-jsdom in ${directory}`, { cause: error });
  }
  const { window } = dom;
  addMissing(window);
  for (const name of Object.getOwnPropertyNames(window))
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  for (const name of ['window', 'document', 'navigator', 'Event', 'CustomEvent', 'location', 'history'])
    Object.defineProperty(globalThis, name, {
      value: name === 'window' ? window : window[name],
      configurable: true,
      writable: true,
    });
  return () => window.close();
}

/** Runs the build's slots on a recorded page. @throws UsageError */
async function playBack(directory: string, file: string) {
  const root = resolve(directory);
  await registerContract(root);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-playback-'));
  // React looks for a DOM when it is loaded.
  const closeDom = openDom(root);
  try {
    const { playRecording, recordingSchema } = await import('../dev/playback.ts');
    const { openBuild } = await import('../dev/localBuild.ts');
    const read = recordingSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!read.success) throw new UsageError(`${file} is no recording of the devtools`);
    const { shared } = await localProvides(root);
    const { manifest, modules } = await openBuild(root, { folder, shared });
    return await playRecording({ name: manifest.name, modules }, read.data);
  } finally {
    closeDom();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `gate DIRECTORY [--shell URL] [--recording FILE]` of a local build, `gate REMOTE VERSION --shell URL` of a published release. */
export async function gate(line: CommandLine): Promise<CommandResult> {
  const { args, gateToken, recording, shell } = line;
  const [first] = args;
  if (first === undefined) throw new UsageError('gate needs the DIRECTORY of a build, or REMOTE VERSION');
  const isDirectory = first.includes('/') || (args.length === 1 && existsSync(join(first, MANIFEST_FILE)));
  if (isDirectory) {
    rejectExtraArguments(args.slice(1));
    return gateDirectory(first, line);
  }
  if (recording !== undefined) throw new UsageError('--recording needs the DIRECTORY of a build');
  const { name, version, rest } = readRelease(args);
  rejectExtraArguments(rest);
  if (version === undefined) throw new UsageError('gate needs the VERSION of a published release');
  if (shell === undefined) throw new UsageError('gate needs --shell URL, the shell that tries the release');
  const result = await callShellGate(
    { shellUrl: shell, token: gateToken, send: sendByFetch },
    { name, version },
  );
  const { release, renders } = result;
  if (!result.isAccepted) return describeResult(release, result.refusals, '', { renders });
  const { refusals, browser } = await tryPublished({ name, version }, shell, line);
  const more = describeRenders(renders) + describeBrowser(browser);
  return describeResult(release, refusals, more, { renders, browser });
}

/** Hydrates the slots of a published release, which a shell's gate does not. */
async function tryPublished(
  id: { readonly name: string; readonly version: string },
  shell: string,
  { access, gateToken, environment }: CommandLine,
): Promise<SlotsReport> {
  const chrome = findChrome(environment);
  const skip = (skipped: string) => ({ refusals: [], browser: { skipped } });
  if (chrome === undefined) return skip(NO_CHROME);
  const recorded = await pagesOfShell(shell, gateToken);
  if (!recorded.pages) return skip(recorded.reason);
  const dist = mkdtempSync(join(tmpdir(), 'forecourt-release-'));
  try {
    const manifest = await downloadRelease(access, id, dist);
    return await trySlots({ dist, manifest, chrome, recorded });
  } catch (error) {
    if (!(error instanceof RegistryCallError)) throw error;
    return skip(error.message);
  } finally {
    rmSync(dist, { recursive: true, force: true });
  }
}

function readManifest(bytes: Buffer): ReleaseManifest | undefined {
  try {
    return releaseManifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // `verifyRelease` reports the problem.
    return undefined;
  }
}

/** Gate check of a local build; collects every refusal. `release` is undefined without a manifest. */
async function checkBuild(
  directory: string,
  provides: Provides,
  trial: { readonly chrome: string | undefined; readonly recorded: () => Promise<RecordedPages> },
): Promise<{ release: string | undefined; refusals: Refusal[]; browser?: BrowserReport }> {
  let manifest: ReleaseManifest | undefined;
  let foreign: Refusal[] = [];
  const refusals: Refusal[] = [];
  try {
    const { manifestBytes, files } = await readBuiltDirectory(directory);
    manifest = readManifest(manifestBytes);
    const verified = verifyRelease(manifestBytes, files);
    const read = (path: string) => files.get(path);
    foreign = [...checkStyles(verified.manifest, read, provides), ...checkCopies(verified.manifest, read)];
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    refusals.push({
      rule: 'FILES_UNUSABLE',
      expected: 'a build whose files are those of its release.json',
      found: `${error.code}: ${error.message}`,
      remedy: 'build the remote again: `npm run build -w REMOTE`',
    });
  }
  if (manifest) refusals.push(...checkManifest(manifest, provides), ...foreign);
  const release = manifest && `${manifest.name}@${manifest.version}`;
  // Incompatible code is never run.
  if (!manifest || refusals.length > 0) return { release, refusals };
  const { chrome } = trial;
  const tried = await trySlots({
    dist: resolve(directory),
    manifest,
    chrome,
    recorded: await trial.recorded(),
  });
  return { release, refusals: [...tried.refusals], browser: tried.browser };
}
