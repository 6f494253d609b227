import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GateResult,
  type Provides,
  type Refusal,
  checkManifest,
  providesSchema,
} from '@forecourt/shared-contracts/slots/gate';
import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { type CommandLine, UsageError, readRelease } from '../commandLine.ts';
import { localProvides } from '../provides.ts';
import { callRegistry, callShellGate } from '../client.ts';
import { MANIFEST_FILE, RegistryError } from '../release/format.ts';
import { readBuiltDirectory } from '../release/archive.ts';
import { verifyRelease } from '../release/verifyRelease.ts';
import { type CommandResult, rejectExtraArguments } from './command.ts';

const describe = ({ rule, expected, found, remedy }: Refusal): string =>
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

function describeResult(
  label: string,
  refusals: readonly Refusal[],
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

/** Static gate check of a build, against the shell at `shell` or the installed packages. */
async function gateDirectory(directory: string, shell: string | undefined): Promise<CommandResult> {
  const provides =
    shell === undefined
      ? await localProvides(process.cwd())
      : await callRegistry(
          { registryUrl: shell },
          { method: 'GET', path: '/releases/provides' },
          providesSchema,
        );
  const { release, refusals } = await checkBuild(directory, provides);
  return describeResult(release ?? directory, refusals, ' by the checks that do not run it');
}

/** `gate DIRECTORY [--shell URL]` of a local build, `gate REMOTE VERSION --shell URL` of a published release. */
export async function gate({ args, gateToken, shell }: CommandLine): Promise<CommandResult> {
  const [first] = args;
  if (first === undefined) throw new UsageError('gate needs the DIRECTORY of a build, or REMOTE VERSION');
  const isDirectory = first.includes('/') || (args.length === 1 && existsSync(join(first, MANIFEST_FILE)));
  if (isDirectory) {
    rejectExtraArguments(args.slice(1));
    return gateDirectory(first, shell);
  }
  const { name, version, rest } = readRelease(args);
  rejectExtraArguments(rest);
  if (version === undefined) throw new UsageError('gate needs the VERSION of a published release');
  if (shell === undefined) throw new UsageError('gate needs --shell URL, the shell that tries the release');
  const { release, refusals, renders } = await callShellGate(
    { shellUrl: shell, token: gateToken },
    { name, version },
  );
  return describeResult(release, refusals, describeRenders(renders), { renders });
}

function readManifest(bytes: Buffer): ReleaseManifest | undefined {
  try {
    return releaseManifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // `verifyRelease` reports the problem.
    return undefined;
  }
}

/** Static gate check of a local build; collects every refusal. `release` is undefined without a manifest. */
async function checkBuild(
  directory: string,
  provides: Provides,
): Promise<{ release: string | undefined; refusals: Refusal[] }> {
  let manifest: ReleaseManifest | undefined;
  const refusals: Refusal[] = [];
  try {
    const { manifestBytes, files } = await readBuiltDirectory(directory);
    manifest = readManifest(manifestBytes);
    verifyRelease(manifestBytes, files);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    refusals.push({
      rule: 'FILES_UNUSABLE',
      expected: 'a build whose files are those of its release.json',
      found: `${error.code}: ${error.message}`,
      remedy: 'build the remote again: `npm run build -w REMOTE`',
    });
  }
  if (manifest) refusals.push(...checkManifest(manifest, provides));
  return { release: manifest && `${manifest.name}@${manifest.version}`, refusals };
}
