import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import semver from 'semver';

const run = promisify(execFile);

/** `feat(slots)!: …` of https://conventionalcommits.org, as Lerna's preset reads it. */
const HEADER = /^(?<type>\w+)(?:\([^)]*\))?(?<breaking>!)?: ./;
const BREAKING_NOTE = /^BREAKING[ -]CHANGE: ./m;

function levelOf(message: string): 'major' | 'minor' | 'patch' {
  const { type, breaking } = HEADER.exec(message)?.groups ?? {};
  if (breaking !== undefined || BREAKING_NOTE.test(message)) return 'major';
  return type === 'feat' ? 'minor' : 'patch';
}

/** The version that Lerna gives to a package of `version` after these commits of it. */
export function versionAfter(version: string, messages: readonly string[]): string {
  const levels = new Set(messages.map(levelOf));
  const level = (['major', 'minor', 'patch'] as const).find((one) => levels.has(one));
  return (level && semver.inc(version, level)) ?? version;
}

const higher = (one: string, other: string): string => (semver.gt(one, other) ? one : other);

/**
 * Contract package to the version of its next publication: what Lerna makes of the commits since `commit`, whose versions are
 * `older`, or the version that is in package.json already.
 */
export async function pendingVersions(
  root: string,
  commit: string,
  older: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const file of globSync('shared-contracts/*/package.json', { cwd: root })) {
    const { name, version } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string;
      version: string;
    };
    const args = ['-C', root, 'log', '--format=%B%x00', `${commit}..HEAD`, '--', dirname(file)];
    const { stdout } = await run('git', args, { maxBuffer: 64 * 1024 * 1024 });
    const messages = stdout
      .split('\0')
      .map((message) => message.trim())
      .filter((message) => message !== '');
    versions[name] = higher(version, versionAfter(older[name] ?? version, messages));
  }
  return versions;
}
