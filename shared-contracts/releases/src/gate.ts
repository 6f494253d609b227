import semver from 'semver';
import { z } from 'zod';
import { remoteNameSchema, versionSchema, type ReleaseManifest } from './manifest.ts';
import { firstViewBytes } from './firstViewBytes.ts';

/** Rules of the release gate. The codes are stable; the troubleshooting page lists them. */
const GATE_RULES = [
  /** A shared module is missing or has an incompatible version. */
  'SHARED_RANGE',
  /** Built for another major version of a contract, or a newer one than the shell's. */
  'CONTRACT_VERSION',
  /** A slot is missing that the page places in this remote. */
  'SLOT_MISSING',
  /** A slot needs a part of the state that the page's layout does not let it read. */
  'READS_NOT_ALLOWED',
  /** A slot needs a part of the state that does not exist. */
  'READS_UNKNOWN',
  /** The manifest names a file that is missing or on the wrong side. */
  'FILE_MISSING',
  /** Exceeds the size budget. */
  'SIZE_BUDGET',
  /** Built for development: not minimized, and with React's development code. */
  'DEVELOPMENT_BUILD',
  /** A style sheet could affect more than the release's own elements. */
  'STYLE_NOT_OWN',
  /** Its files are unavailable, or differ from the published ones. */
  'FILES_UNUSABLE',
  /** Its code throws, or exposes no slot module. */
  'MODULE_LOAD',
  /** Its entry for browsers does not run as a script of a page, or sets no container. */
  'BROWSER_ENTRY',
  /** Its code for browsers throws, or exposes no slot module. */
  'BROWSER_LOAD',
  /** Its container takes nothing of the share scope that every page has. */
  'SHARE_SCOPE',
  /** It has a copy of its own of a library of which a page has one. */
  'SECOND_COPY',
  /** A timer or handle is still active after its modules have loaded. */
  'LEFT_RUNNING',
  /** A slot cannot render one of the recorded pages. */
  'SLOT_RENDER',
  /** A slot cannot render one of them in a browser, or renders it in another way than the server. */
  'BROWSER_RENDER',
  /** In a browser, a slot throws in an effect, reports an error or does more than its budgets allow. */
  'BROWSER_ERROR',
  /** In a browser, a slot does what the page's policy refuses. */
  'BROWSER_POLICY',
  /** A listener or timer of a slot is still active after it has been unmounted. */
  'BROWSER_LEFTOVER',
  /** Its scripts and modules take too long to evaluate. */
  'EVALUATION_TIME',
] as const;
/** Why a release is refused, for people and programs. */
export const refusalSchema = z.object({
  rule: z.enum(GATE_RULES),
  expected: z.string(),
  found: z.string(),
  /** How to fix it. */
  remedy: z.string(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** 'SHARED_RANGE: expected …, found …; …', one line. */
export const describeRefusal = ({ rule, expected, found, remedy }: Refusal): string =>
  `${rule}: expected ${expected}, found ${found}; ${remedy}`;

/** What a shell provides to releases and requires of them; response of `GET /releases/provides`. */
export const providesSchema = z.object({
  /** Shared module to version. */
  shared: z.record(z.string(), z.string()),
  /** Contract package to version. */
  contracts: z.record(z.string(), versionSchema).default({}),
  /** Parts of the state; absent in shells that do not check `reads`. */
  state: z.array(z.string()).optional(),
  /** Remote to the requirements of the page's layout. */
  remotes: z.record(
    remoteNameSchema,
    z.object({
      slots: z.array(z.string()),
      /** Slot to the parts of the state that it may read; absent in shells that do not limit them. */
      mayRead: z.record(z.string(), z.array(z.string())).optional(),
    }),
  ),
  /** Slot to what it may do in the browser; absent in older shells. */
  permissions: z
    .record(
      z.string(),
      z.object({ emits: z.array(z.string()), hears: z.array(z.string()), calls: z.array(z.string()) }),
    )
    .optional(),
  /** Present in shells of `npm run dev`, which take development builds. */
  takesDevelopmentBuilds: z.literal(true).optional(),
  /** Slots that never load with others: main slots of other pages. Absent in older shells. */
  pageSlots: z.array(z.string()).optional(),
  /** Remote to its size budget; `preset` is the default. */
  budgets: z.object({
    remotes: z.record(remoteNameSchema, z.object({ bytes: z.number().int(), reason: z.string() })),
    preset: z.object({ bytes: z.number().int(), reason: z.string() }),
  }),
});
export type Provides = z.infer<typeof providesSchema>;

interface Placed {
  readonly slot: string;
  readonly source: 'shell' | { readonly remote: string };
}

/** Remote to the slots that page layouts place in it. */
export function slotsByRemote(layout: readonly Placed[]): Record<string, string[]> {
  const placed: Record<string, string[]> = {};
  for (const { slot, source } of layout) {
    if (source === 'shell') continue;
    const slots = (placed[source.remote] ??= []);
    if (!slots.includes(slot)) slots.push(slot);
  }
  return placed;
}

/** The shell's provided modules and requirements; `placed` is remote to slots, `mayRead` slot to parts of the state. */
export const providesOf = (shell: {
  readonly shared: Readonly<Record<string, string>>;
  readonly contracts: Readonly<Record<string, string>>;
  /** Every part of the site's state. */
  readonly state: readonly string[];
  readonly placed: Readonly<Record<string, readonly string[]>>;
  readonly pageSlots: readonly string[];
  readonly mayRead?: Readonly<Record<string, readonly string[]>>;
  readonly budgets: Provides['budgets'];
  readonly takesDevelopmentBuilds?: boolean;
}): Provides => ({
  shared: { ...shell.shared },
  contracts: { ...shell.contracts },
  state: [...shell.state],
  remotes: Object.fromEntries(
    Object.entries(shell.placed).map(([remote, slots]) => {
      const { mayRead } = shell;
      if (!mayRead) return [remote, { slots: [...slots] }];
      return [
        remote,
        {
          slots: [...slots],
          mayRead: Object.fromEntries(slots.map((slot) => [slot, [...(own(mayRead, slot) ?? [])]])),
        },
      ];
    }),
  ),
  pageSlots: [...shell.pageSlots],
  budgets: shell.budgets,
  ...(shell.takesDevelopmentBuilds && { takesDevelopmentBuilds: true }),
});

/** Response of a shell's `POST /releases/gate`: the result of loading a release that is not live. */
export const gateResultSchema = z.object({
  /** 'mfe-results@1.4.0' */
  release: z.string(),
  isAccepted: z.boolean(),
  refusals: z.array(refusalSchema),
  /** Every slot over every recorded page that was rendered. */
  renders: z.array(
    z.object({
      slot: z.string(),
      context: z.string(),
      isGood: z.boolean(),
      ms: z.number().nonnegative(),
      /** What one good render of each slot looks like, for people. */
      html: z.string().optional(),
    }),
  ),
});
export type GateResult = z.infer<typeof gateResultSchema>;

// Own properties only: a remote may be called 'constructor'.
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

function* sharedRanges({ shared }: ReleaseManifest, provides: Provides): Generator<Refusal> {
  for (const [module, range] of Object.entries(shared)) {
    const version = own(provides.shared, module);
    if (version !== undefined && semver.satisfies(version, range)) continue;
    yield {
      rule: 'SHARED_RANGE',
      expected:
        version === undefined ? 'only modules that the shell shares' : `${module} ${version} in range`,
      found: `${module} ${range}`,
      remedy:
        version === undefined
          ? 'bundle the module, or have the shell share it first'
          : `depend on a range of ${module} that holds ${version}: a page has one instance of it`,
    };
  }
}

/** How to meet a contract of which the shell has another version. */
function contractRemedy(name: string, version: string, provided: string | undefined): string {
  if (provided === undefined || !semver.valid(version))
    return `build against the shell's ${name}, or without it`;
  if (semver.gt(version, provided))
    return 'wait until a shell with that contract is deployed, or build against the older one';
  return `install ${name} ${provided}, follow node_modules/${name}/MIGRATING.md, and build again`;
}

function* contractVersions({ contracts }: ReleaseManifest, provides: Provides): Generator<Refusal> {
  for (const [name, version] of Object.entries(contracts)) {
    const provided = own(provides.contracts, name);
    // This shell lacks the additions of a newer contract.
    if (provided !== undefined && semver.satisfies(provided, `^${version}`)) continue;
    yield {
      rule: 'CONTRACT_VERSION',
      expected:
        provided === undefined
          ? 'only contracts that the shell has'
          : `built for ${name} ${provided} or an older one of its major`,
      found: `${name} ${version}`,
      remedy: contractRemedy(name, version, provided),
    };
  }
}

function* placedSlots({ name, slots }: ReleaseManifest, provides: Provides): Generator<Refusal> {
  for (const slot of own(provides.remotes, name)?.slots ?? []) {
    if (Object.hasOwn(slots, slot)) continue;
    yield {
      rule: 'SLOT_MISSING',
      expected: `slot ${slot}, which the page places in ${name}`,
      found: Object.keys(slots).join(', ') || 'no slot',
      remedy: `keep src/slots/${slot}.tsx; to retire the slot, take it out of the shell's layout first`,
    };
  }
}

function* knownReads({ slots }: ReleaseManifest, { state }: Provides): Generator<Refusal> {
  if (!state) return;
  for (const [slot, { reads }] of Object.entries(slots)) {
    const unknown = reads.filter((part) => !state.includes(part));
    if (unknown.length === 0) continue;
    yield {
      rule: 'READS_UNKNOWN',
      expected: `slot ${slot} reads only parts of the state: ${state.join(', ')}`,
      found: unknown.join(', '),
      remedy: 'correct `reads` of the slot; TypeScript reports unknown parts when the contract is current',
    };
  }
}

function* allowedReads({ name, slots }: ReleaseManifest, provides: Provides): Generator<Refusal> {
  const mayRead = own(provides.remotes, name)?.mayRead ?? {};
  const isKnown = (part: string) => provides.state?.includes(part) ?? true;
  for (const [slot, { reads }] of Object.entries(slots)) {
    const allowed = own(mayRead, slot);
    const others = allowed && reads.filter((part) => !allowed.includes(part) && isKnown(part));
    if (!others || others.length === 0) continue;
    yield {
      rule: 'READS_NOT_ALLOWED',
      expected: `slot ${slot} reads only ${allowed.join(', ') || 'nothing'}`,
      found: others.join(', '),
      remedy: `take it out of \`reads\`, or have the shell's layout allow it in \`mayRead\``,
    };
  }
}

function* namedFiles({ entry, slots, files }: ReleaseManifest): Generator<Refusal> {
  const forBrowser = [
    entry.web,
    ...(entry.modules ?? []),
    ...Object.values(slots).flatMap(({ scripts, styles }) => [...scripts, ...styles]),
  ];
  const places: (readonly [path: string, side: string])[] = [
    ...forBrowser.map((path) => [path, 'web/'] as const),
    [entry.node, 'node/'],
  ];
  const reportedPaths = new Set<string>();
  for (const [path, side] of places) {
    if (reportedPaths.has(path) || (Object.hasOwn(files, path) && path.startsWith(side))) continue;
    reportedPaths.add(path);
    yield {
      rule: 'FILE_MISSING',
      expected: `${path} among the files of the release, below ${side}`,
      found: Object.hasOwn(files, path) ? 'a file of the other side' : 'no such file',
      remedy:
        path === entry.node
          ? 'build the remote for Node, too: the shell renders it on the server'
          : 'build again; release.json is written by the build, not by hand',
    };
  }
}

/** First files of a release against the budget of its remote; uncompressed bytes. */
export function firstView(manifest: ReleaseManifest, { budgets, pageSlots = [] }: Provides) {
  const { bytes: budget, reason } = own(budgets.remotes, manifest.name) ?? budgets.preset;
  return { bytes: firstViewBytes(manifest, pageSlots), budget, reason };
}

/** A development build has no size budget, because it is not minimized; only shells of `npm run dev` take it. */
function* sizeBudget(manifest: ReleaseManifest, provides: Provides): Generator<Refusal> {
  if (manifest.development) {
    if (provides.takesDevelopmentBuilds) return;
    yield {
      rule: 'DEVELOPMENT_BUILD',
      expected: 'a production build',
      found: 'a development build',
      remedy: 'build with `npm run build`, without NODE_ENV=development',
    };
    return;
  }
  const { bytes, budget, reason } = firstView(manifest, provides);
  if (bytes <= budget) return;
  yield {
    rule: 'SIZE_BUDGET',
    expected: `at most ${budget} bytes of entry and first files (${reason})`,
    found: `${bytes} bytes`,
    remedy: 'load what is not seen at first by import(), or agree on another budget in sizeBudgets.ts',
  };
}

/**
 * Checks that need no code of the release: shared ranges, contract, slots of the page, what they read, files, size. Empty
 * when the shell may load it.
 */
export function checkManifest(manifest: ReleaseManifest, provides: Provides): Refusal[] {
  return [
    ...sharedRanges(manifest, provides),
    ...contractVersions(manifest, provides),
    ...placedSlots(manifest, provides),
    ...knownReads(manifest, provides),
    ...allowedReads(manifest, provides),
    ...namedFiles(manifest),
    ...sizeBudget(manifest, provides),
  ];
}
