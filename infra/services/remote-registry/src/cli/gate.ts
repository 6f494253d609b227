import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryProvides } from '@forecourt/build/repositoryProvides';
import { providesSchema, type GateResult, type Refusal } from '@forecourt/shared-contracts/slots/gate';
import { checkBuild } from '../gate/checkBuild.ts';
import { askShell } from '../gate/shellGates.ts';
import { callRegistry } from '../registryClient.ts';
import { MANIFEST_FILE } from '../releases/limits.ts';
import { type CommandLine, readRelease, UsageError } from './commandLine.ts';
import type { Outcome } from './commands.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

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

function outcome(label: string, refusals: readonly Refusal[], more = '', data: object = {}): Outcome {
  const isAccepted = refusals.length === 0;
  return {
    text: isAccepted
      ? `${label} is accepted${more}`
      : [`${label} is refused`, ...refusals.map(describe)].join('\n'),
    data: { release: label, isAccepted, refusals, ...data },
    isBad: !isAccepted,
  };
}

/** The rules that need no shell to run the release; those of `shell`, or of this repository's own. */
async function gateDirectory(directory: string, shell: string | undefined): Promise<Outcome> {
  const provides =
    shell === undefined
      ? await repositoryProvides(REPOSITORY)
      : await callRegistry(
          { registryUrl: shell },
          { method: 'GET', path: '/releases/provides' },
          providesSchema,
        );
  const { release, refusals } = await checkBuild(directory, provides);
  return outcome(release ?? directory, refusals, ' by what can be said without running it');
}

/** `gate DIRECTORY [--shell URL]` of a local build, `gate REMOTE VERSION --shell URL` of a published release. */
export async function gate({ args, access, shell }: CommandLine): Promise<Outcome> {
  const [first] = args;
  if (first === undefined) throw new UsageError('gate needs the DIRECTORY of a build, or REMOTE VERSION');
  const isDirectory = first.includes('/') || (args.length === 1 && existsSync(join(first, MANIFEST_FILE)));
  if (isDirectory) {
    if (args.length > 1) throw new UsageError(`'${args.slice(1).join(' ')}' is too much`);
    return gateDirectory(first, shell);
  }
  const { name, version, rest } = readRelease(args);
  if (rest.length > 0) throw new UsageError(`'${rest.join(' ')}' is too much`);
  if (version === undefined) throw new UsageError('gate needs the VERSION of a published release');
  if (shell === undefined) throw new UsageError('name the shell that shall try it by --shell URL');
  const { release, refusals, renders } = await askShell(
    { shellUrl: shell, token: access.token },
    { name, version },
  );
  return outcome(release, refusals, describeRenders(renders), { renders });
}
