import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import {
  MIN_OVERRIDE_KEY,
  OVERRIDE_TOKEN,
  overrideClaimsSchema,
} from '@forecourt/shared-contracts/slots/override';
import { LOCAL_BUILD, OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/overridePaths';
import { SignJWT } from 'jose';
import type { z } from 'zod';
import { type CommandLine, readRelease, UsageError } from '../commandLine.ts';
import { callRegistry } from '@forecourt/release-kit/registryClient';
import { type Command, pointerOf, readPointers, rejectExtraArguments, releasePath } from './command.ts';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { FILE_TYPES, MANIFEST_FILE } from '@forecourt/release-kit/releaseFiles';

/** Any shell's pages may read the build, uncached, also from a public page to this private network address. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Private-Network': 'true',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** The bytes of a path, if it is the manifest or a file that it lists. */
async function readBuilt(directory: string, path: string): Promise<Buffer | undefined> {
  const manifestBytes = await readFile(join(directory, MANIFEST_FILE));
  if (path === LOCAL_BUILD.manifestPath) return manifestBytes;
  const { files } = releaseManifestSchema.parse(JSON.parse(manifestBytes.toString('utf8')));
  const name = path.slice(1);
  return Object.hasOwn(files, name) ? await readFile(join(directory, name)) : undefined;
}

/** Serves a built remote from disk on the loopback address, for overrides. */
export async function startBuildServer(
  directory: string,
  port: number,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (request.method === 'OPTIONS') return void response.writeHead(204, HEADERS).end();
    readBuilt(directory, path).then(
      (bytes) => {
        const type = FILE_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
        response.writeHead(bytes ? 200 : 404, { ...HEADERS, 'Content-Type': type }).end(bytes);
      },
      // During a rebuild there is no manifest.
      (error: unknown) => response.writeHead(503, HEADERS).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A link to a page where a tester confirms another release for their browser. */
interface OverrideLink {
  readonly text: string;
  readonly data: { readonly url: string; readonly until?: string; readonly isSigned: boolean };
}

/** Rejects a release that does not exist, or that is live anyway. */
async function checkRelease({ access }: CommandLine, name: string, version: string): Promise<void> {
  await callRegistry(access, { method: 'GET', path: releasePath(name, version) }, releaseManifestSchema);
  if (pointerOf(await readPointers(access), name)?.live === version)
    throw new UsageError(`${name}@${version} is live: everyone already sees it`);
}

function readOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  if (origin !== text) throw new UsageError('--origin must be an origin like http://localhost:5001');
  return origin;
}

/** One override of a link. */
type Target = Pick<z.infer<typeof overrideClaimsSchema>, 'remote' | 'version' | 'origin' | 'snapshot'>;

/** `REMOTE VERSION`, `REMOTE --origin ORIGIN`, or a set: `REMOTE@VERSION REMOTE@VERSION …`. */
async function readTargets(line: CommandLine): Promise<readonly Target[]> {
  const { args, buildOrigin } = line;
  const origin = buildOrigin === undefined ? undefined : readOrigin(buildOrigin);
  const isSet = args.length > 1 && args.every((arg) => arg.includes('@'));
  if (isSet && origin !== undefined) throw new UsageError('--origin overrides one remote, not a set');
  const targets: Target[] = [];
  for (const words of isSet ? args.map((arg) => [arg]) : [args]) {
    const { name: remote, version, rest } = readRelease(words);
    rejectExtraArguments(rest);
    if ((version ?? origin) === undefined)
      throw new UsageError('override needs REMOTE VERSION, or REMOTE --origin ORIGIN');
    if (version !== undefined && origin === undefined) await checkRelease(line, remote, version);
    if (targets.some((target) => target.remote === remote))
      throw new UsageError(`override names ${remote} twice`);
    targets.push({ remote, version, origin });
  }
  return targets;
}

/** For a shell in local mode, which lets visitors set their own overrides. */
function unsignedLink(page: URL, { remote, version, origin }: Target, minutes: number): OverrideLink {
  const fields = { remote, version, origin, minutes: String(minutes) };
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) page.searchParams.set(field, value);
  return {
    text: `Without OVERRIDE_KEY, only a shell in local mode accepts this link. Open it and confirm:\n${page.href}`,
    data: { url: page.href, isSigned: false },
  };
}

const overridesPage = ({ shell, command = '' }: CommandLine): URL => {
  if (shell === undefined) throw new UsageError(`${command} needs --shell URL, the address of the pages`);
  return new URL(OVERRIDES_PATH, shell);
};

/** A link with one signed token for each release. @throws UsageError without OVERRIDE_KEY */
export async function signedLink(line: CommandLine, targets: readonly Target[]): Promise<OverrideLink> {
  const { minutes, overrideKey } = line;
  const page = overridesPage(line);
  if (overrideKey === undefined) throw new UsageError('a link for several releases needs OVERRIDE_KEY');
  if (overrideKey.length < MIN_OVERRIDE_KEY)
    throw new UsageError(`OVERRIDE_KEY must have ${MIN_OVERRIDE_KEY} characters or more`);
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + minutes * 60;
  const sign = (one: Target) =>
    new SignJWT({
      ...overrideClaimsSchema.parse({ aud: page.origin, sub: line.by.slice(0, 100), iat, exp, ...one }),
    })
      .setProtectedHeader({ ...OVERRIDE_TOKEN })
      .sign(new TextEncoder().encode(overrideKey));
  page.searchParams.set('token', (await Promise.all(targets.map(sign))).join('~'));
  const until = new Date(exp * 1000).toISOString();
  return {
    text: `Open this and confirm; it ends at ${until}. Anyone with the link can use it in their own browser:\n${page.href}`,
    data: { url: page.href, until, isSigned: true },
  };
}

/**
 * `override REMOTE [VERSION] --shell URL`, or several REMOTE@VERSION: signed with OVERRIDE_KEY, one token each; a shell in
 * local mode needs no signature.
 */
export async function override(line: CommandLine): Promise<OverrideLink> {
  const page = overridesPage(line);
  if (line.isCleared)
    return { text: `Open this and press End:\n${page.href}`, data: { url: page.href, isSigned: false } };
  const targets = await readTargets(line);
  const [target] = targets;
  return line.overrideKey === undefined && target && targets.length === 1
    ? unsignedLink(page, target, line.minutes)
    : signedLink(line, targets);
}

/** The link that shows the build served at `origin` in a tester's browser. */
async function linkToBuild(line: CommandLine, directory: string, origin: string): Promise<OverrideLink> {
  const manifest: unknown = JSON.parse(await readFile(join(directory, MANIFEST_FILE), 'utf8'));
  const { name } = releaseManifestSchema.parse(manifest);
  return override({ ...line, args: [name], buildOrigin: origin });
}

/** `serve DIRECTORY [--shell URL]`: runs until interrupted. */
export const serve: Command = async (line) => {
  const [directory, ...rest] = line.args;
  if (directory === undefined) throw new UsageError('serve needs the DIRECTORY of a built remote');
  rejectExtraArguments(rest);
  const { origin, close } = await startBuildServer(directory, line.port);
  const stopped = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  try {
    const link = line.shell === undefined ? undefined : await linkToBuild(line, directory, origin);
    const lines = [`${directory} is served at ${origin}; stop with Ctrl-C`, ...(link ? [link.text] : [])];
    const data = { event: 'listening', url: origin, ...(link && { link: link.data }) };
    process.stdout.write(`${line.isJson ? JSON.stringify(data) : lines.join('\n')}\n`);
    await stopped;
  } finally {
    await close();
  }
  return { text: 'stopped', data: { origin } };
};
