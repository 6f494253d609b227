import { type Pointers, pointersSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { publishRelease } from './publish.ts';
import { callRegistry, RegistryCallError, type RegistryAccess } from './registryClient.ts';
import { RegistryError } from './registryError.ts';
import { type ReleaseId, releaseIdSchema } from './releases/releaseStore.ts';
import { zodReasons } from './zodReasons.ts';

const USAGE = `usage: node src/cli.ts COMMAND
  publish DIRECTORY             upload a built remote as a release
  promote NAME[@VERSION]        make it live for everybody (without a version: the canary's)
  canary NAME@VERSION PERCENT   give it to a share of the visitors; 0 ends the canary
  rollback NAME                 back to the version that was live before
  list                          releases and what is live
environment: REGISTRY_URL (http://localhost:4100), REGISTRY_TOKEN`;

/** Exit statuses: the registry or the release refused, and the command line was wrong. */
const REFUSED = 1;
const MISUSED = 2;

class UsageError extends Error {}

const environmentSchema = z.object({
  REGISTRY_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:4100'),
  REGISTRY_TOKEN: z.string().min(1).optional(),
});

const listSchema = z.object({
  releases: z.array(
    releaseIdSchema.extend({ publishedAt: z.string(), bytes: z.number(), files: z.number() }),
  ),
});

function parseRelease(text: string): ReleaseId {
  const at = text.indexOf('@');
  const id = releaseIdSchema.safeParse({ name: text.slice(0, at), version: text.slice(at + 1) });
  if (at < 0 || !id.success) throw new UsageError(`'${text}' is not NAME@VERSION`);
  return id.data;
}

const post = (access: RegistryAccess, name: string, verb: string, body: object): Promise<Pointers> =>
  callRegistry(
    access,
    {
      method: 'POST',
      path: `/api/remotes/${encodeURIComponent(name)}/${verb}`,
      body: { type: 'application/json', content: JSON.stringify(body) },
    },
    pointersSchema,
  );

function describe(name: string, pointers: Pointers): string {
  const pointer = Object.hasOwn(pointers.remotes, name) ? pointers.remotes[name] : undefined;
  if (!pointer) return `${name}: nothing live`;
  const canary = pointer.canary ? `, canary ${pointer.canary.version} at ${pointer.canary.weight} %` : '';
  return `${name}: live ${pointer.live}${canary} (revision ${pointers.revision})`;
}

async function list(access: RegistryAccess): Promise<string> {
  const { releases } = await callRegistry(access, { method: 'GET', path: '/api/releases' }, listSchema);
  const { remotes } = await callRegistry(access, { method: 'GET', path: '/api/pointers' }, pointersSchema);
  if (releases.length === 0) return 'no releases';
  const lines = releases.map(({ name, version, publishedAt, bytes, files }) => {
    const pointer = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
    const isCanary = pointer?.canary?.version === version;
    const role =
      pointer?.live === version ? '  live' : isCanary ? `  canary ${pointer.canary?.weight} %` : '';
    return `${name}@${version}  ${publishedAt}  ${files} files  ${Math.ceil(bytes / 1024)} KB${role}`;
  });
  return lines.join('\n');
}

async function run(access: RegistryAccess, [command, ...args]: string[]): Promise<string> {
  const [target, share] = args;
  if (command === 'list' && args.length === 0) return list(access);
  if (target === undefined || args.length > (command === 'canary' ? 2 : 1)) throw new UsageError(USAGE);
  switch (command) {
    case 'publish': {
      const { name, version } = await publishRelease({ ...access, directory: target });
      return `published ${name}@${version}`;
    }
    case 'promote': {
      if (!target.includes('@')) return describe(target, await post(access, target, 'promote', {}));
      const { name, version } = parseRelease(target);
      return describe(name, await post(access, name, 'promote', { version }));
    }
    case 'canary': {
      const { name, version } = parseRelease(target);
      const weight = share === undefined || share.trim() === '' ? NaN : Number(share);
      if (!(weight >= 0 && weight <= 100)) throw new UsageError('PERCENT must be a number from 0 to 100');
      return describe(name, await post(access, name, 'canary', { version, weight }));
    }
    case 'rollback':
      return describe(target, await post(access, target, 'rollback', {}));
    default:
      throw new UsageError(USAGE);
  }
}

async function main(): Promise<void> {
  try {
    const environment = environmentSchema.safeParse(process.env);
    if (!environment.success) throw new UsageError(zodReasons(environment.error));
    const words = process.argv.slice(2);
    if (words.some((word) => word.startsWith('-'))) throw new UsageError(USAGE);
    const { REGISTRY_URL: registryUrl, REGISTRY_TOKEN: token } = environment.data;
    process.stdout.write(`${await run({ registryUrl, token }, words)}\n`);
  } catch (error) {
    const code =
      error instanceof RegistryError || error instanceof RegistryCallError ? `${error.code}: ` : '';
    process.stderr.write(`${code}${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? MISUSED : REFUSED;
  }
}

await main();
