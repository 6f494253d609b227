import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { remoteNameSchema } from '@forecourt/releases/manifest';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/releases/overridePaths';
import { z } from 'zod';
import type { RegistryAccess } from '@forecourt/release-kit/registryClient';
import { zodReasons } from '@forecourt/release-kit/registryError';
import { releaseIdSchema } from '@forecourt/release-kit/releaseFiles';
import { type Scope, scopeSchema } from '@forecourt/release-kit/credentials';
import { publicKeySchema } from '@forecourt/release-kit/signatures';

/** The command line is wrong; the message explains the correct usage. */
export class UsageError extends Error {}

export const USAGE = `usage: forecourt COMMAND [ARGUMENTS] [OPTIONS]

  publish DIRECTORY                    upload a built remote as a release
  gate DIRECTORY                       check a local build against this repository's shell, the installed
                                       packages, or --shell; with --recording, on a page that the devtools recorded
  gate REMOTE VERSION --shell URL      let a running shell try a published release that is not live
  list [REMOTE]                        list releases and what is live
  show REMOTE [VERSION]                slots, sizes and requirements of one release; default: the live one
  canary REMOTE                        how the canary fares against the live release: failures, LCP, INP
  canary REMOTE VERSION PERCENT        serve a release to a share of visitors (0.01 to 100; above 50 needs promote,
                                       too); 0 ends the canary
  promote REMOTE [VERSION]             make a release live for everyone; default: the canary's version
  rollback REMOTE                      return everyone to the previous live version at once
  hold REMOTE --why TEXT               allow only a rollback or the end of the canary
  resume REMOTE                        end a hold
  history [REMOTE]                     who moved which pointer, when and why
  override REMOTE [VERSION]            print a link that shows a tester another release; needs --shell
  override REMOTE@VERSION …            print a link for a set of releases; needs --shell and OVERRIDE_KEY
  snapshot save NAME [REMOTE@VERSION …]
                                       save what is live, with other releases in place, as NAME.snapshot.json
  snapshot show NAME                   its releases; with --shell, a link that shows them to a tester
  snapshot diff NAME [NAME]            how it differs from what is live, or from another one
  dev [DIRECTORY]                      build the remote in the folder on each change, and show the pages of --shell
                                       with it at http://localhost:5001; with --host, also to a phone, by a QR code
  scenario [list]                      ways to break the upstream of a local stack, and which are on
  scenario set NAME …                  break it, e.g. outage or consumerRatings-slow, for every page of the stack
  scenario clear                       mend everything
  gc                                   list unused old releases; with --yes, remove them
  doctor                               check Node, clock, registry, token, live releases, the ports of a local
                                       stack, and its shell or that of --shell with its sandbox
  credentials [list]                   who may do what
  credentials create NAME              a new credential with the actions of --allow; prints its token once
  credentials rotate NAME              replace its token; the old one stops working at once
  credentials revoke NAME              remove it; its token stops working at once
  credentials exchange                 exchange OIDC_TOKEN, of a trusted CI run, for a token of 15 minutes; prints it

  keys [list [REMOTE]]                 which keys sign the releases of which remote
  keys generate FILE                   write a new private key; prints the public key
  keys add REMOTE PUBLIC_KEY           take only releases of the remote that are signed by one of its keys
  keys remove REMOTE KEY_ID            no longer take releases signed by the key
  log                                  the newest entries of the transparency log
  log --verify                         verify the whole log, and that manifests and files of live, canary and
                                       previous releases are those that were published
  completion bash|zsh|fish             print a script that completes commands and options in your shell

options
  --json                  print machine-readable output; dev prints one object per line
  --why TEXT              reason, stored in the history (canary, promote, rollback, hold)
  --skip-gate             ask no shell, in an emergency; needs --why, stored in the history (canary, promote)
  --by NAME               who the link is for (override); default: user@host
  --allow REMOTE:ACTIONS  what the credential allows, may be repeated (credentials): '*' or a remote, and publish,
                          canary, end-canary, promote, rollback or administer, separated by commas
  --days N                days until the credential expires (credentials); default: never
  --registry URL          default: REGISTRY_URL, http://localhost:4100
  --shell URL             shell to check (doctor, gate), base URL of the pages (dev, override, snapshot)
  --api URL               marketplace API of the local stack (scenario); default: MARKETPLACE_API_URL, http://localhost:4000
  --minutes N             duration, up to 480 (dev, override, snapshot); default 60
  --recording FILE        page that the devtools recorded, played to the build (gate)
  --origin ORIGIN         a build that dev shows there, instead of a published version (override)
  --clear                 print a link that ends overrides (override)
  --port N                port to serve on (dev); default 5001
  --host ADDRESS          address of this machine to serve on, for devices in its network (dev); default 127.0.0.1
  --limit N               number of entries (history); default 20
  --keep-days N           days that a release stays after it was last pointed to (gc); default 30
  --keep-versions N       number of newest versions that stay (gc); default 5
  --yes                   remove instead of listing (gc); replace the file (snapshot)
  --verify                verify instead of listing (log)
  --expect HEAD           head of an earlier verification, which the log must still contain (log)
  --help

REGISTRY_TOKEN is the token of a credential; GATE_TOKEN opens the gate of a shell; OVERRIDE_KEY signs overrides,
OVERRIDE_TOKEN is one that the operator of a shell signed (dev),
RELEASE_KEY (PEM) or RELEASE_KEY_FILE (its path) signs releases. REMOTE VERSION may also be written REMOTE@VERSION.
exit status: 0 done, 1 refused or failed (CODE: reason on standard error, with --json an object), 2 wrong command line`;

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

const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'skip-gate': { type: 'boolean', default: false },
  why: { type: 'string' },
  by: { type: 'string' },
  verify: { type: 'boolean', default: false },
  expect: { type: 'string' },
  allow: { type: 'string', multiple: true },
  days: { type: 'string' },
  registry: { type: 'string' },
  shell: { type: 'string' },
  api: { type: 'string' },
  limit: { type: 'string' },
  minutes: { type: 'string' },
  origin: { type: 'string' },
  recording: { type: 'string' },
  clear: { type: 'boolean', default: false },
  port: { type: 'string' },
  host: { type: 'string' },
  'keep-days': { type: 'string' },
  'keep-versions': { type: 'string' },
} as const;

export interface CommandLine {
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly access: RegistryAccess;
  /** The environment without empty variables, which count as absent, as in the services. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
  readonly wantsHelp: boolean;
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

/** Public keys behind '--': one in 64 starts with '-', which would make it an option. */
function separateKeys(words: readonly string[]): string[] {
  const isKey = (word: string) => word.startsWith('-') && publicKeySchema.safeParse(word).success;
  const keys = words.filter(isKey);
  if (keys.length === 0 || words.includes('--')) return [...words];
  return [...words.filter((word) => !isKey(word)), '--', ...keys];
}

/** @throws UsageError */
export function readCommandLine(words: readonly string[], environment: NodeJS.ProcessEnv): CommandLine {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) throw new UsageError(zodReasons(parsed.error));
  let options: ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>;
  try {
    options = parseArgs({ args: separateKeys(words), options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
  const { values, positionals } = options;
  const registryUrl = values.registry ?? parsed.data.REGISTRY_URL;
  const apiUrl = values.api ?? parsed.data.MARKETPLACE_API_URL;
  for (const [name, url] of [
    ['registry', registryUrl],
    ['shell', values.shell ?? registryUrl],
    ['api', apiUrl],
  ])
    if (!URL.canParse(url ?? '')) throw new UsageError(`--${name} must be a URL`);
  if (values['skip-gate'] && values.why === undefined) throw new UsageError('--skip-gate needs --why TEXT');
  const [command, ...args] = positionals;
  return {
    command,
    args,
    access: { registryUrl, token: parsed.data.REGISTRY_TOKEN, signingKey: readSigningKey(parsed.data) },
    environment: present,
    isJson: values.json,
    wantsHelp: values.help,
    isConfirmed: values.yes,
    why: values.why,
    by: values.by ?? `${userInfo().username}@${hostname()}`,
    scopes: (values.allow ?? []).map(readScope),
    days: values.days === undefined ? undefined : wholeNumber(values.days, 'days', 0, 3650),
    shell: values.shell,
    apiUrl,
    skipsGate: values['skip-gate'],
    gateToken: parsed.data.GATE_TOKEN ?? parsed.data.REGISTRY_TOKEN,
    oidcToken: parsed.data.OIDC_TOKEN,
    overrideKey: parsed.data.OVERRIDE_KEY,
    minutes: wholeNumber(values.minutes, 'minutes', 60, MAX_OVERRIDE_SECONDS / 60),
    recording: values.recording,
    buildOrigin: values.origin,
    isCleared: values.clear,
    port: wholeNumber(values.port, 'port', 5001, 65_535),
    host: values.host,
    limit: wholeNumber(values.limit, 'limit', 20),
    isVerified: values.verify,
    expectedHead: values.expect,
    keepDays: wholeNumber(values['keep-days'], 'keep-days', 30),
    keepVersions: wholeNumber(values['keep-versions'], 'keep-versions', 5),
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
