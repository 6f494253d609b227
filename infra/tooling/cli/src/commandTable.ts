import type { OptionValues } from './commandLine.ts';
import type { Command } from './commands/command.ts';
import { completion } from './commands/completion.ts';

const MINUTES = 'duration, up to 480; default 60';

/** Every option, with its placeholder and what it means. */
export const OPTIONS = {
  registry: ['--registry <URL>', 'default: REGISTRY_URL, http://localhost:4100'],
  why: ['--why <TEXT>', 'reason, stored in the history'],
  skipGate: ['--skip-gate', 'ask no shell, in an emergency; needs --why'],
  by: ['--by <NAME>', 'who the link is for; default: user@host'],
  allow: [
    '--allow <REMOTE:ACTIONS...>',
    "what it allows, may be repeated: '*' or a remote, and publish, canary, end-canary, promote, rollback or administer, separated by commas",
  ],
  days: ['--days <N>', 'days until it expires; default: never'],
  shell: ['--shell <URL>', 'base URL of the shell'],
  api: [
    '--api <URL>',
    'marketplace API of the local stack; default: MARKETPLACE_API_URL, http://localhost:4000',
  ],
  minutes: ['--minutes <N>', MINUTES],
  recording: ['--recording <FILE>', 'page that the devtools recorded, played to the build'],
  origin: ['--origin <ORIGIN>', 'a build that dev shows there, instead of a published version'],
  clear: ['--clear', 'print a link that ends overrides'],
  port: ['--port <N>', 'port to serve on; default 5001'],
  host: [
    '--host <ADDRESS>',
    'address of this machine to serve on, for devices in its network; default 127.0.0.1',
  ],
  limit: ['--limit <N>', 'number of entries; default 20'],
  keepDays: ['--keep-days <N>', 'days that a release stays after it was last pointed to; default 30'],
  keepVersions: ['--keep-versions <N>', 'number of newest versions that stay; default 5'],
  yes: ['--yes', 'do it instead of only saying what would be done'],
  verify: [
    '--verify',
    'verify the whole log, and the manifests and files of live, canary and previous releases',
  ],
  expect: ['--expect <HEAD>', 'head of an earlier verification, which the log must still contain'],
  web: ['--web <FOLDER>', "the build for browsers, with the plugin's mf-manifest.json; default dist/web"],
  node: ['--node <FOLDER>', 'the build for Node; default dist/node'],
  out: ['--out <FOLDER>', 'where the release is written; default release'],
  release: [
    '--release <VERSION>',
    "version of the release; default: the package's and a hash of the content",
  ],
} as const satisfies Partial<Record<keyof OptionValues, readonly [flags: string, text: string]>>;
export type OptionName = keyof typeof OPTIONS;

interface Definition {
  /** Arguments as the help shows them; they are checked by the command. */
  readonly usage: string;
  readonly text: string;
  readonly options?: readonly OptionName[];
}
export type Load = () => Promise<Command>;

const pointers =
  (name: 'canary' | 'promote' | 'rollback' | 'hold' | 'resume' | 'history'): Load =>
  async () =>
    (await import('./commands/pointers.ts'))[name];
const releases =
  (name: 'publish' | 'list' | 'show' | 'gc' | 'log'): Load =>
  async () =>
    (await import('./commands/releases.ts'))[name];
const credentials: Load = async () => (await import('./commands/access.ts')).credentials;
const keys: Load = async () => (await import('./commands/access.ts')).keys;
const snapshot: Load = async () => (await import('./commands/snapshot.ts')).snapshot;
const scenario: Load = async () => (await import('./commands/scenario.ts')).scenario;

/** Commands by name; those of a family are named by two words, and the first of them needs no second word. */
export const COMMANDS: Readonly<Record<string, Definition & { readonly load: Load }>> = {
  pack: {
    usage: '[DIRECTORY]',
    text: 'make a release of a build by Rspack, Rsbuild, webpack or Vite: manifest, integrity, check of both sides',
    options: ['web', 'node', 'out', 'release'],
    load: async () => (await import('./commands/pack.ts')).pack,
  },
  gate: {
    usage: 'DIRECTORY | REMOTE VERSION --shell URL',
    text: "check a local build against this repository's shell, the installed packages, or --shell; with --recording, on a recorded page. Or let a running shell try a published release",
    options: ['shell', 'recording'],
    load: async () => (await import('./commands/gate.ts')).gate,
  },
  publish: {
    usage: 'DIRECTORY',
    text: 'upload a built remote as a release',
    options: ['registry'],
    load: releases('publish'),
  },
  list: {
    usage: '[REMOTE]',
    text: 'list releases and what is live',
    options: ['registry'],
    load: releases('list'),
  },
  show: {
    usage: 'REMOTE [VERSION]',
    text: 'slots, sizes and requirements of one release; default: the live one',
    options: ['registry'],
    load: releases('show'),
  },
  canary: {
    usage: 'REMOTE [VERSION PERCENT]',
    text: 'serve a release to a share of visitors (0.01 to 100; above 50 needs promote, too); 0 ends the canary. Without a version: how it fares against the live release',
    options: ['registry', 'why', 'skipGate'],
    load: pointers('canary'),
  },
  promote: {
    usage: 'REMOTE [VERSION]',
    text: "make a release live for everyone; default: the canary's version",
    options: ['registry', 'why', 'skipGate'],
    load: pointers('promote'),
  },
  rollback: {
    usage: 'REMOTE',
    text: 'return everyone to the previous live version at once',
    options: ['registry', 'why'],
    load: pointers('rollback'),
  },
  hold: {
    usage: 'REMOTE --why TEXT',
    text: 'allow only a rollback or the end of the canary',
    options: ['registry', 'why'],
    load: pointers('hold'),
  },
  resume: { usage: 'REMOTE', text: 'end a hold', options: ['registry', 'why'], load: pointers('resume') },
  status: {
    usage: '',
    text: 'what is live where, canaries, holds and failures by slot',
    options: ['registry'],
    load: async () => (await import('./commands/status.ts')).status,
  },
  why: {
    usage: 'SLOT URL',
    text: 'why a slot looks as it does on a page',
    options: [],
    load: async () => (await import('./commands/status.ts')).why,
  },
  history: {
    usage: '[REMOTE]',
    text: 'who moved which pointer, when and why',
    options: ['registry', 'limit'],
    load: pointers('history'),
  },
  override: {
    usage: 'REMOTE [VERSION] | REMOTE@VERSION …',
    text: 'print a link that shows a tester other releases; a set of them needs OVERRIDE_KEY',
    options: ['registry', 'shell', 'minutes', 'by', 'origin', 'clear'],
    load: async () => (await import('./commands/override.ts')).override,
  },
  'snapshot save': {
    usage: 'NAME [REMOTE@VERSION …]',
    text: 'save what is live, with other releases in place, as NAME.snapshot.json; --yes replaces the file',
    options: ['registry', 'yes'],
    load: snapshot,
  },
  'snapshot show': {
    usage: 'NAME',
    text: 'its releases; with --shell, a link that shows them to a tester',
    options: ['shell', 'minutes', 'by'],
    load: snapshot,
  },
  'snapshot diff': {
    usage: 'NAME [NAME]',
    text: 'how it differs from what is live, or from another one',
    options: ['registry'],
    load: snapshot,
  },
  dev: {
    usage: '[DIRECTORY] --shell URL',
    text: 'build the remote in the folder on each change, and show the pages of a shell with it',
    options: ['shell', 'port', 'host', 'minutes'],
    load: async () => (await import('./commands/dev.ts')).dev,
  },
  'scenario list': {
    usage: '',
    text: 'ways to break the upstream of a local stack, and which are on',
    options: ['api'],
    load: scenario,
  },
  'scenario set': {
    usage: 'NAME …',
    text: 'break it, e.g. outage or consumerRatings-slow, for every page of the stack',
    options: ['api'],
    load: scenario,
  },
  'scenario clear': { usage: '', text: 'mend everything', options: ['api'], load: scenario },
  gc: {
    usage: '',
    text: 'list unused old releases; with --yes, remove them',
    options: ['registry', 'keepDays', 'keepVersions', 'yes'],
    load: releases('gc'),
  },
  doctor: {
    usage: '',
    text: 'check Node, clock, registry, token, live releases, the ports of a local stack, and its shell or that of --shell with its sandbox',
    options: ['registry', 'shell'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  'credentials list': { usage: '', text: 'who may do what', options: ['registry'], load: credentials },
  'credentials create': {
    usage: 'NAME --allow REMOTE:ACTIONS',
    text: 'a new credential; prints its token once',
    options: ['registry', 'allow', 'days'],
    load: credentials,
  },
  'credentials rotate': {
    usage: 'NAME',
    text: 'replace its token; the old one stops working at once',
    options: ['registry'],
    load: credentials,
  },
  'credentials revoke': {
    usage: 'NAME',
    text: 'remove it; its token stops working at once',
    options: ['registry'],
    load: credentials,
  },
  'credentials exchange': {
    usage: '',
    text: 'exchange OIDC_TOKEN, of a trusted CI run, for a token of 15 minutes; prints it',
    options: ['registry'],
    load: credentials,
  },
  'keys list': {
    usage: '[REMOTE]',
    text: 'which keys sign the releases of which remote',
    options: ['registry'],
    load: keys,
  },
  'keys generate': { usage: 'FILE', text: 'write a new private key; prints the public key', load: keys },
  'keys add': {
    usage: 'REMOTE PUBLIC_KEY',
    text: 'take only releases of the remote that are signed by one of its keys',
    options: ['registry'],
    load: keys,
  },
  'keys remove': {
    usage: 'REMOTE KEY_ID',
    text: 'no longer take releases signed by the key',
    options: ['registry'],
    load: keys,
  },
  log: {
    usage: '',
    text: 'the newest entries of the transparency log',
    options: ['registry', 'limit', 'verify', 'expect'],
    load: releases('log'),
  },
  completion: {
    usage: 'bash|zsh|fish',
    text: 'print a script that completes commands and options in your shell',
    load: async () => completion(describeCommands()),
  },
};

export const FAMILIES: Readonly<Record<string, string>> = {
  snapshot: 'save, show and compare sets of releases',
  scenario: 'break and mend the upstream of a local stack',
  credentials: 'who may do what',
  keys: 'which keys sign releases',
};

/** Commands and the options of each, as they are documented, for completion. */
export const describeCommands = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(COMMANDS).map(([name, { options = [] }]) => [
      name,
      [...options.map((option) => OPTIONS[option][0].split(' ')[0] ?? ''), '--json', '--help'],
    ]),
  );
