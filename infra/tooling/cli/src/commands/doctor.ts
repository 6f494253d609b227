import { createServer } from 'node:net';
import { describeRefusal, refusalSchema } from '@forecourt/releases/gate';
import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { type RegistryAccess, RegistryCallError, callRegistry } from '@forecourt/release-kit/registryClient';
import type { CommandLine } from '../commandLine.ts';
import { callerSchema, describeScopes } from '@forecourt/release-kit/credentials';
import { verifyServedFiles } from './verifyServedFiles.ts';
import { type Command, readPointers, rejectExtraArguments, releasePath } from './command.ts';

interface Finding {
  readonly isOk: boolean;
  readonly what: string;
  /** How to fix the problem. */
  readonly advice?: string;
}

const ok = (what: string): Finding => ({ isOk: true, what });
const problem = (what: string, advice: string): Finding => ({ isOk: false, what, advice });
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

const TIMEOUT_MS = 10_000;

/** Checks that the registry serves every file of the release as published. */
async function checkRelease(access: RegistryAccess, name: string, version: string): Promise<Finding> {
  const label = `${name}@${version}`;
  try {
    const path = releasePath(name, version);
    const manifest = await callRegistry(access, { method: 'GET', path }, releaseManifestSchema);
    const problems = await verifyServedFiles(access, { ...manifest, name, version });
    if (problems.length > 0) return problem(`${label}: ${problems.join('; ')}`, 'restore it, or roll back');
    return ok(`${label}: ${Object.keys(manifest.files).length} files, as published`);
  } catch (error) {
    return problem(`${label}: ${reason(error)}`, 'publish it again under a new version, or roll back');
  }
}

const NODE_NEEDED = { major: 22, minor: 18 };

/** The oldest Node that runs this command and `forecourt-build`. */
function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > NODE_NEEDED.major || (major === NODE_NEEDED.major && minor >= NODE_NEEDED.minor);
  return isNew
    ? ok(`Node ${version}`)
    : problem(
        `Node ${version} is too old`,
        `install ${NODE_NEEDED.major}.${NODE_NEEDED.minor} or newer from https://nodejs.org`,
      );
}

/** Tokens, override links and signatures expire by the clock; ms. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;

/** Compares the clock with the registry's; nothing if it sends no date. */
async function checkClock(access: RegistryAccess): Promise<Finding[]> {
  const response = await fetch(new URL('/health/live', access.registryUrl), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const seconds = Math.round((Date.now() - Date.parse(response.headers.get('date') ?? '')) / 1000);
  if (Number.isNaN(seconds)) return [];
  if (Math.abs(seconds) * 1000 <= MAX_CLOCK_DIFFERENCE_MS)
    return [ok('the clock agrees with the registry’s')];
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return [
    problem(
      `the clock is ${Math.abs(seconds)} s ${direction} the registry’s`,
      'synchronize both by NTP; tokens and override links expire by it',
    ),
  ];
}

/** How a shell isolates the code of releases. */
function describeSandbox(url: string, level: string): Finding {
  if (level === 'none')
    return problem(
      `shell ${url} runs releases without a sandbox`,
      'remove RELEASE_ISOLATION=none, which is for development',
    );
  return ok(`shell ${url} runs releases in the sandbox level ${level}`);
}

async function checkToken(access: RegistryAccess): Promise<Finding> {
  try {
    const caller = await callRegistry(access, { method: 'GET', path: '/api/credentials/self' }, callerSchema);
    return ok(`you are ${caller.name} and may ${describeScopes(caller.scopes)}`);
  } catch (error) {
    const advice =
      error instanceof RegistryCallError && error.code === 'UNAUTHORIZED'
        ? 'set REGISTRY_TOKEN to the token of a credential'
        : 'writing from another machine needs a token: set REGISTRY_TOKEN here and at the registry';
    return problem(`you may not write (${reason(error)})`, advice);
  }
}

/** A shell's readiness: the releases in use and the refused ones that pointers name. */
const readinessSchema = z.object({
  status: z.string(),
  releases: z.record(z.string(), z.string()),
  refused: z.record(z.string(), z.array(refusalSchema)).default({}),
  /** Remote to its required slots that no live release fills. */
  missing: z.record(z.string(), z.array(z.string())).default({}),
  pointers: z.object({ revision: z.number(), reason: z.string() }).optional(),
  isolation: z.object({ level: z.string() }).optional(),
});

async function checkShell(url: string): Promise<Finding[]> {
  try {
    const response = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status, releases, refused, missing, pointers, isolation } = readinessSchema.parse(
      await response.json(),
    );
    const used = Object.entries(releases).map(([name, version]) => `${name}@${version}`);
    const readiness = response.ok
      ? ok(`shell ${url} is ${status}: ${used.join(', ')}`)
      : problem(`shell ${url} is ${status} (${response.status})`, 'see its log');
    return [
      readiness,
      ...(isolation ? [describeSandbox(url, isolation.level)] : []),
      ...(pointers
        ? [
            problem(
              `shell ${url} does not follow revision ${pointers.revision}: ${pointers.reason}`,
              'restore the registry, or set CONFIRM_REVISION of the shell',
            ),
          ]
        : []),
      ...Object.entries(missing).map(([name, slots]) =>
        problem(`shell ${url} lacks ${name} (${slots.join(', ')})`, `promote a release of ${name}`),
      ),
      ...Object.entries(refused).map(([release, refusals]) =>
        problem(
          `shell ${url} refuses ${release}`,
          refusals.map(describeRefusal).join(' | ') || 'see its log',
        ),
      ),
    ];
  } catch (error) {
    return [
      problem(`shell ${url} does not respond (${reason(error)})`, 'start it, or name another with --shell'),
    ];
  }
}

/** The services of `npm start`: the variable of each port, and its default. */
const LOCAL_SERVICES = [
  { service: 'shell', key: 'PORT', defaultPort: 3000 },
  { service: 'marketplace API', key: 'MARKETPLACE_API_PORT', defaultPort: 4000 },
  { service: 'registry', key: 'REGISTRY_PORT', defaultPort: 4100 },
  { service: 'identity service', key: 'IDENTITY_PORT', defaultPort: 4200 },
] as const;

interface LocalPort {
  readonly service: (typeof LOCAL_SERVICES)[number]['service'];
  readonly key: string;
  readonly port: number;
}

/**
 * The ports of the local stack that the registry belongs to; none for another registry. Kubernetes sets variables such as
 * REGISTRY_PORT to URLs: those are not ports of a local stack.
 */
function localPorts({ access, environment }: CommandLine): readonly LocalPort[] {
  const ports = LOCAL_SERVICES.map(({ service, key, defaultPort }) => {
    const text = environment[key] ?? '';
    return { service, key, port: /^\d{1,5}$/.test(text) ? Number(text) : defaultPort };
  });
  const { hostname, port } = new URL(access.registryUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const registry = ports.find(({ service }) => service === 'registry');
  return isLocal && Number(port) === registry?.port ? ports : [];
}

/** The error of listening on a port of this machine; undefined if it is free. */
const listenError = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });

const liveSchema = z.object({ status: z.literal('live') });

/** Whether a service of Forecourt uses the port. */
async function isServiceAt(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/health/live`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  return liveSchema.safeParse(await response?.json().catch(() => undefined)).success;
}

async function checkPort({ service, key, port }: LocalPort): Promise<Finding> {
  const code = await listenError(port);
  if (code === undefined) return ok(`port ${port} is free for the ${service}`);
  if (code === 'EADDRINUSE' && (await isServiceAt(port))) return ok(`port ${port} has a running ${service}`);
  return problem(
    code === 'EADDRINUSE'
      ? `port ${port}, of the ${service}, is used by another program`
      : `port ${port}, of the ${service}, can't be used (${code})`,
    `stop that program, or choose another port: ${key}=${port + 1} npm start`,
  );
}

/** The shell to check: the named one, or that of the running local stack. */
async function shellOf({ shell }: CommandLine, ports: readonly LocalPort[]): Promise<string | undefined> {
  const local = ports.find(({ service }) => service === 'shell');
  if (shell !== undefined || !local || !(await isServiceAt(local.port))) return shell;
  return `http://localhost:${local.port}`;
}

/** Checks everything that a deployment or a local stack depends on. */
async function diagnose(line: CommandLine): Promise<Finding[]> {
  const { access } = line;
  const findings: Finding[] = [checkNode(process.versions.node)];
  try {
    const { revision, remotes } = await readPointers(access);
    findings.push(ok(`registry ${access.registryUrl} responds, pointers at revision ${revision}`));
    findings.push(...(await checkClock(access)), await checkToken(access));
    for (const [name, { live, canary }] of Object.entries(remotes)) {
      findings.push(await checkRelease(access, name, live));
      if (canary) findings.push(await checkRelease(access, name, canary.version));
    }
    if (Object.keys(remotes).length === 0)
      findings.push(problem('no remote has a live release', 'publish and promote one'));
  } catch (error) {
    findings.push(problem(reason(error), 'start the registry, or name another with --registry'));
  }
  const ports = localPorts(line);
  findings.push(...(await Promise.all(ports.map(checkPort))));
  const shell = await shellOf(line, ports);
  if (shell !== undefined) findings.push(...(await checkShell(shell)));
  return findings;
}

/** `doctor [--shell URL]` */
export const doctor: Command = async (line) => {
  rejectExtraArguments(line.args);
  const findings = await diagnose(line);
  const text = findings.map(({ isOk, what, advice }) =>
    isOk ? `ok    ${what}` : `WRONG ${what}${advice ? `: ${advice}` : ''}`,
  );
  return { text: text.join('\n'), data: { findings }, hasProblem: findings.some(({ isOk }) => !isOk) };
};
