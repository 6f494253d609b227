import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { remoteNameSchema } from '@forecourt/releases/manifest';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/releases/overridePaths';
import { z } from 'zod';
import type { RegistryAccess } from '@forecourt/release-kit/registryClient';
import { zodReasons } from '@forecourt/release-kit/registryError';
import { releaseIdSchema } from '@forecourt/release-kit/releaseFiles';
import { type Scope, scopeSchema } from '@forecourt/release-kit/credentials';

/** The command line is wrong; the message explains the correct usage. */
export class UsageError extends Error {}

const environmentSchema = z.object({
  REGISTRY_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:4100'),
  MARKETPLACE_API_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:4000'),
  REGISTRY_TOKEN: z.string().min(1).optional(),
  GATE_TOKEN: z.string().min(1).optional(),
  OIDC_TOKEN: z.string().min(1).optional(),
  /** PEM, or the path of a file with it. */
  RELEASE_KEY: z.string().min(1).optional(),
  RELEASE_KEY_FILE: z.string().min(1).optional(),
  OVERRIDE_KEY: z.string().min(1).optional(),
});

/** Options as the command line gives them; a command has those that it documents. */
export interface OptionValues {
  readonly json?: true;
  readonly yes?: true;
  readonly skipGate?: true;
  readonly why?: string;
  readonly by?: string;
  readonly verify?: true;
  readonly expect?: string;
  readonly allow?: readonly string[];
  readonly days?: string;
  readonly registry?: string;
  readonly shell?: string;
  readonly api?: string;
  readonly limit?: string;
  readonly minutes?: string;
  readonly origin?: string;
  readonly recording?: string;
  readonly clear?: true;
  readonly port?: string;
  readonly host?: string;
  readonly keepDays?: string;
  readonly keepVersions?: string;
  readonly web?: string;
  readonly node?: string;
  readonly out?: string;
  readonly release?: string;
}

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly access: RegistryAccess;
  /** The environment without empty variables, which count as absent, as in the services. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
  readonly isConfirmed: boolean;
  /** Reason, stored in the history. */
  readonly why: string | undefined;
  /** Who an override is for. */
  readonly by: string;
  /** What a new credential allows. */
  readonly scopes: readonly Scope[];
  /** Days until it expires. */
  readonly days: number | undefined;
  readonly shell: string | undefined;
  /** Base URL of the marketplace API of a local stack. */
  readonly apiUrl: string;
  /** Moves a pointer without the shells' gate check. */
  readonly skipsGate: boolean;
  /** For the gate of a shell. */
  readonly gateToken: string | undefined;
  /** OpenID Connect token of a CI run. */
  readonly oidcToken: string | undefined;
  readonly overrideKey: string | undefined;
  readonly minutes: number;
  /** File of a recorded page. */
  readonly recording: string | undefined;
  /** Origin at which `dev` serves a build. */
  readonly buildOrigin: string | undefined;
  readonly isCleared: boolean;
  readonly port: number;
  /** Address to serve on; undefined for this machine only. */
  readonly host: string | undefined;
  readonly limit: number;
  readonly isVerified: boolean;
  /** `SEQUENCE:HASH` of a log entry. */
  readonly expectedHead: string | undefined;
  readonly keepDays: number;
  readonly keepVersions: number;
  /** Folders of a build of another toolchain, where its release goes, and what that is called. */
  readonly packed: {
    readonly web: string | undefined;
    readonly node: string | undefined;
    readonly out: string | undefined;
    readonly version: string | undefined;
  };
}

function wholeNumber(text: string | undefined, name: string, defaultValue: number, maximum = 9999): number {
  if (text === undefined) return defaultValue;
  const value = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Infinity;
  if (value > maximum) throw new UsageError(`--${name} must be a whole number from 1 to ${maximum}`);
  return value;
}

/** 'mfe-results:publish,canary' */
function readScope(text: string): Scope {
  const [remote, actions = ''] = text.split(':', 2);
  const scope = scopeSchema.safeParse({ remote, actions: actions.split(',') });
  if (scope.success) return scope.data;
  throw new UsageError(`--allow must be REMOTE:ACTIONS, e.g. mfe-results:publish,canary, not '${text}'`);
}

/** The key that signs releases. @throws UsageError */
function readSigningKey(environment: z.infer<typeof environmentSchema>): string | undefined {
  const { RELEASE_KEY, RELEASE_KEY_FILE } = environment;
  if (RELEASE_KEY !== undefined || RELEASE_KEY_FILE === undefined) return RELEASE_KEY;
  try {
    return readFileSync(RELEASE_KEY_FILE, 'utf8');
  } catch (error) {
    throw new UsageError(`RELEASE_KEY_FILE: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Words {
  /** 'canary', or 'credentials create'. */
  readonly command: string;
  readonly args: readonly string[];
  readonly values: OptionValues;
}

/** @throws UsageError */
export function readCommandLine(
  { command, args, values }: Words,
  environment: Readonly<NodeJS.ProcessEnv>,
): CommandLine {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) throw new UsageError(zodReasons(parsed.error));
  const registryUrl = values.registry ?? parsed.data.REGISTRY_URL;
  const apiUrl = values.api ?? parsed.data.MARKETPLACE_API_URL;
  for (const [name, url] of [
    ['registry', registryUrl],
    ['shell', values.shell ?? registryUrl],
    ['api', apiUrl],
  ])
    if (!URL.canParse(url ?? '')) throw new UsageError(`--${name} must be a URL`);
  if (values.skipGate && values.why === undefined) throw new UsageError('--skip-gate needs --why TEXT');
  return {
    command,
    args,
    access: { registryUrl, token: parsed.data.REGISTRY_TOKEN, signingKey: readSigningKey(parsed.data) },
    environment: present,
    isJson: values.json === true,
    isConfirmed: values.yes === true,
    why: values.why,
    by: values.by ?? `${userInfo().username}@${hostname()}`,
    scopes: (values.allow ?? []).map(readScope),
    days: values.days === undefined ? undefined : wholeNumber(values.days, 'days', 0, 3650),
    shell: values.shell,
    apiUrl,
    skipsGate: values.skipGate === true,
    gateToken: parsed.data.GATE_TOKEN ?? parsed.data.REGISTRY_TOKEN,
    oidcToken: parsed.data.OIDC_TOKEN,
    overrideKey: parsed.data.OVERRIDE_KEY,
    minutes: wholeNumber(values.minutes, 'minutes', 60, MAX_OVERRIDE_SECONDS / 60),
    recording: values.recording,
    buildOrigin: values.origin,
    isCleared: values.clear === true,
    port: wholeNumber(values.port, 'port', 5001, 65_535),
    host: values.host,
    limit: wholeNumber(values.limit, 'limit', 20),
    isVerified: values.verify === true,
    expectedHead: values.expect,
    keepDays: wholeNumber(values.keepDays, 'keep-days', 30),
    keepVersions: wholeNumber(values.keepVersions, 'keep-versions', 5),
    packed: { web: values.web, node: values.node, out: values.out, version: values.release },
  };
}

/** Reads REMOTE VERSION or REMOTE@VERSION, and the remaining arguments. @throws UsageError */
export function readRelease(args: readonly string[]): {
  name: string;
  version: string | undefined;
  rest: readonly string[];
} {
  const [first = '', ...others] = args;
  const [name = '', joined] = first.split('@', 2);
  const version = joined ?? others[0];
  const rest = joined === undefined ? others.slice(1) : others;
  if (!remoteNameSchema.safeParse(name).success) throw new UsageError(`'${name}' is not a valid remote name`);
  if (version !== undefined && !releaseIdSchema.safeParse({ name, version }).success)
    throw new UsageError(`'${version}' is not a semantic version`);
  return { name, version, rest };
}
