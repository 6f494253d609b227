import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { publishRelease, RegistryCallError } from '@forecourt/release-kit/registryClient';
import type { ReleaseManifest } from '@forecourt/releases/manifest';

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), '../fixtures');
const FOLLOW_MS = 10_000;

/** Build directory of a fixture. */
export const fixtureDist = (name: string): string => join(FIXTURES, name, 'dist');

export const readManifest = (directory: string): ReleaseManifest =>
  JSON.parse(readFileSync(join(directory, 'release.json'), 'utf8')) as ReleaseManifest;

/** Publishes a build unless its version exists already; returns its manifest. */
export async function publish(registryUrl: string, directory: string): Promise<ReleaseManifest> {
  try {
    return await publishRelease({ registryUrl, directory, hasCommit: false });
  } catch (error) {
    if (error instanceof RegistryCallError && error.code === 'RELEASE_EXISTS') return readManifest(directory);
    throw error;
  }
}

/** Makes a published version live for all visitors. */
export async function promote(registryUrl: string, name: string, version: string): Promise<void> {
  const response = await fetch(`${registryUrl}/api/remotes/${name}/promote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });
  if (!response.ok)
    throw new Error(`promote ${name}@${version}: ${response.status} ${await response.text()}`);
}

/** Versions that a shell currently uses, by remote. */
export async function releasesOf(shellUrl: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${shellUrl}/health/ready`);
  return ((await response.json()) as { releases: Record<string, string> }).releases;
}

interface Refusal {
  readonly rule: string;
  readonly expected: string;
  readonly found: string;
  readonly remedy: string;
}

/** Why a shell refused releases that the pointers name, by release. */
export async function refusedBy(shellUrl: string): Promise<Readonly<Record<string, readonly Refusal[]>>> {
  const response = await fetch(`${shellUrl}/health/ready`);
  return ((await response.json()) as { refused: Record<string, Refusal[]> }).refused;
}

/** Runs a shell's gate on a release that is not live. */
export async function tryAt(
  shellUrl: string,
  remote: string,
  version: string,
): Promise<{ readonly isAccepted: boolean; readonly refusals: readonly Refusal[] }> {
  const body = JSON.stringify({ remote, version });
  const response = await fetch(`${shellUrl}/releases/gate`, { method: 'POST', body });
  if (!response.ok) throw new Error(`the gate responded ${response.status}: ${await response.text()}`);
  return (await response.json()) as { isAccepted: boolean; refusals: Refusal[] };
}

/** Publishes and promotes a build, then waits until the shell uses it. */
export async function deploy(
  urls: { readonly shell: string; readonly 'remote-registry': string },
  directory: string,
): Promise<ReleaseManifest> {
  const manifest = await publish(urls['remote-registry'], directory);
  const { name, version } = manifest;
  await promote(urls['remote-registry'], name, version);
  const deadline = Date.now() + FOLLOW_MS;
  while ((await releasesOf(urls.shell))[name] !== version) {
    if (Date.now() > deadline) {
      const { [`${name}@${version}`]: refusals } = await refusedBy(urls.shell);
      throw new Error(`the shell did not start using ${name}@${version}: ${JSON.stringify(refusals)}`);
    }
    await wait(25);
  }
  return manifest;
}

/** Copies a build with another version, replaced words in its code, and changed manifest fields. */
export function variantOf(
  directory: string,
  changes: {
    readonly version: string;
    readonly words?: readonly [from: string, to: string];
    readonly shared?: Readonly<Record<string, string>>;
    readonly contracts?: Readonly<Record<string, string>>;
    readonly slots?: ReleaseManifest['slots'];
    readonly entry?: ReleaseManifest['entry'];
  },
): { readonly directory: string; readonly remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'forecourt-release-'));
  cpSync(directory, copy, { recursive: true });
  const manifest = readManifest(copy);
  const files = { ...manifest.files };
  if (changes.words) {
    const [from, to] = changes.words;
    for (const path of Object.keys(files)) {
      const text = readFileSync(join(copy, path), 'utf8').replaceAll(from, to);
      const bytes = Buffer.from(text);
      writeFileSync(join(copy, path), bytes);
      files[path] = {
        bytes: bytes.length,
        integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
      };
    }
  }
  const changed: ReleaseManifest = {
    ...manifest,
    version: changes.version,
    shared: { ...manifest.shared, ...changes.shared },
    contracts: changes.contracts ?? manifest.contracts,
    slots: changes.slots ?? manifest.slots,
    entry: changes.entry ?? manifest.entry,
    files,
  };
  writeFileSync(join(copy, 'release.json'), JSON.stringify(changed));
  return { directory: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/**
 * Builds all broken remotes, or the named ones. The suite does this once, before its first test.
 * Folders without a package, such as `hostile`, hold single files that need no build.
 */
export async function buildFixtures(names?: readonly string[]): Promise<void> {
  // Not with this file: it loads webpack, which tests do not need.
  const { buildRelease } = await import('@forecourt/build/buildRelease');
  for (const name of readdirSync(FIXTURES)) {
    const isRemote = existsSync(join(FIXTURES, name, 'package.json'));
    if (isRemote && (names?.includes(name) ?? true)) await buildRelease(join(FIXTURES, name));
  }
}
