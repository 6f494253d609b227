import { dirname, join, resolve } from 'node:path';
import { type Package, packageOf, type Sources, readSources, resolveImport } from './sources.ts';

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly rule:
    | 'boundary'
    | 'wall'
    | 'site'
    | 'direction'
    | 'deep-import'
    | 'file-cycle'
    | 'folder-cycle'
    | 'package-cycle';
  readonly message: string;
}

type Kind = 'remote' | 'shell' | 'contracts' | 'infra';

const kindOf = ({ folder }: Package): Kind =>
  folder.startsWith('mfe-')
    ? 'remote'
    : folder === 'shell'
      ? 'shell'
      : folder.startsWith('shared-contracts')
        ? 'contracts'
        : 'infra';

interface Allowed {
  readonly kinds: readonly Kind[];
  /** Single packages of other kinds. */
  readonly packages?: readonly string[];
  readonly message: string;
}

/** Which other packages each kind may import, and the message for a violation. */
const ALLOWED: Readonly<Record<Kind, Allowed>> = {
  remote: {
    kinds: ['contracts'],
    message: 'A remote imports libraries and shared-contracts, nothing else of this repository.',
  },
  shell: {
    kinds: ['contracts'],
    packages: ['@forecourt/service-kit'],
    message:
      'The shell imports libraries, shared-contracts and the service kit, nothing else of this repository.',
  },
  contracts: { kinds: ['contracts'], message: 'Contract packages import libraries and each other only.' },
  infra: {
    kinds: ['contracts', 'infra'],
    message: 'infra builds, runs and tests the shell and the remotes; it does not import them.',
  },
};

/**
 * The contract packages and the folders of `infra` from bottom to top: a package imports those of folders before its own. Packages of one folder import
 * each other only where `isOpen` says so.
 */
const LAYERS: readonly { readonly folder: string; readonly isOpen?: true }[] = [
  { folder: 'shared-contracts/releases' },
  { folder: 'shared-contracts/slots' },
  { folder: 'shared-contracts/upstream' },
  { folder: 'shared-contracts/search' },
  { folder: 'infra/service-kit' },
  { folder: 'infra/release-kit' },
  { folder: 'infra/services' },
  { folder: 'infra/demo-data' },
  { folder: 'infra/deploy' },
  { folder: 'infra/tooling', isOpen: true },
  { folder: 'infra/proofs/harness' },
  { folder: 'infra/proofs' },
];

const layerOf = ({ folder }: Package): number =>
  LAYERS.findIndex((layer) => folder === layer.folder || folder.startsWith(`${layer.folder}/`));

function isBackward(own: Package, other: Package): boolean {
  const [from, to] = [layerOf(own), layerOf(other)];
  return from < to || (from === to && !LAYERS[from]?.isOpen);
}

const DIRECTION = `Packages import one way: ${LAYERS.map(({ folder }) => folder.replace('infra/', '')).join(' ← ')}.`;

const ENGINE = 'shell/src/engine/';
/** What of the contract speaks of the marketplace. */
const SITE_CONTRACT = /^@forecourt\/(?:search|upstream\/(?:calls|entities|codes))(?:\/|$)/;
const WALL =
  'The engine knows no site: what differs between sites reaches it through the port Site (shell/src/engine/site.ts).';

/** The engine, with its tests, imports by path only itself, and nothing of the contracts' marketplace. */
function isThroughWall(file: string, specifier: string): boolean {
  if (!file.startsWith(ENGINE)) return false;
  if (SITE_CONTRACT.test(specifier)) return true;
  return (
    specifier.startsWith('.') && !join(dirname(file), specifier).replaceAll('\\', '/').startsWith(ENGINE)
  );
}

/** A second site on the engine, which shows that the engine needs nothing of the marketplace. */
const SECOND_SITE = 'infra/proofs/second-site/';
/** What each part of the site may import of this repository, by path below its folder. */
const OF_SECOND_SITE: readonly { readonly files: RegExp; readonly packages: RegExp }[] = [
  { files: /^shell\/src\/local\//, packages: /^@forecourt\/(?:local|service-kit|library)(?:\/|$)/ },
  {
    files: /^shell\//,
    packages: /^@forecourt\/(?:shell\/engine|slots|releases|service-kit|library)(?:\/|$)/,
  },
  { files: /^mfe-[^/]+\//, packages: /^@forecourt\/(?:slots|library)(?:\/|$)/ },
  { files: /^contract\//, packages: /^@forecourt\/slots(?:\/|$)/ },
];
const SITE =
  "The second site stands on the engine's faces (@forecourt/shell/engine…), the slots and releases contracts and its own contract; its remotes on contracts alone.";

/** Why a file of the second site may not import this; undefined if it may, or is no such file. */
function siteRefusal(sources: Sources, file: string, specifier: string) {
  if (!file.startsWith(SECOND_SITE)) return undefined;
  const path = file.slice(SECOND_SITE.length);
  const part = OF_SECOND_SITE.find(({ files }) => files.test(path));
  const isOwn = specifier.startsWith('.')
    ? packageOf(sources, join(dirname(file), specifier).replaceAll('\\', '/')) === packageOf(sources, file)
    : !specifier.startsWith('@forecourt/') || part?.packages.test(specifier);
  return isOwn ? undefined : ({ rule: 'site', message: SITE } as const);
}

/** The page as one bundle links every slot: it is what composing at run time is measured against. */
const ONE_BUNDLE = 'infra/proofs/bench/src/oneBundle/';

/** The shell's check of HTML, which the browser tests hold against a browser, fragment by fragment. */
const isJudgedInBrowser = (file: string, specifier: string): boolean =>
  file.startsWith('infra/proofs/e2e/') && specifier === '@forecourt/shell/engine/fragmentCheck';

/** '@forecourt/build/rules' → ['@forecourt/build', './rules']. */
function splitName(specifier: string): [name: string, subpath: string] {
  const [scope, name, ...rest] = specifier.split('/');
  return [`${scope}/${name}`, ['.', ...rest].join('/')];
}

/** A subpath that the package does not export; undefined for packages of others. */
function deepImport(sources: Sources, specifier: string) {
  if (!specifier.startsWith('@forecourt/')) return undefined;
  const [name, subpath] = splitName(specifier);
  const exported = sources.packages.find((each) => each.name === name)?.exports;
  if (exported?.includes(subpath)) return undefined;
  return { rule: 'deep-import', message: `${name} does not export '${subpath}'.` } as const;
}

function refusal(
  sources: Sources,
  file: string,
  specifier: string,
): Omit<Problem, 'file' | 'line'> | undefined {
  const own = packageOf(sources, file);
  if (!own) return undefined;
  if (isThroughWall(file, specifier)) return { rule: 'wall', message: WALL };
  if (file.startsWith(SECOND_SITE))
    return siteRefusal(sources, file, specifier) ?? deepImport(sources, specifier);
  const { kinds, packages = [], message } = ALLOWED[kindOf(own)];
  const mayImport = (other: Package) => kinds.includes(kindOf(other)) || packages.includes(other.name);
  if (specifier.startsWith('.')) {
    const target = join(dirname(file), specifier).replaceAll('\\', '/');
    if (target.startsWith(`${own.folder}/`)) return undefined;
    const other = packageOf(sources, target);
    if (other && !mayImport(other)) return { rule: 'boundary', message };
    return {
      rule: 'deep-import',
      message: 'Packages import each other by name, never by a path out of their own folder.',
    };
  }
  if (!specifier.startsWith('@forecourt/')) return undefined;
  if (isJudgedInBrowser(file, specifier)) return deepImport(sources, specifier);
  const [name] = splitName(specifier);
  const other = sources.packages.find((each) => each.name === name);
  if (other === own) return undefined;
  if (!other || !mayImport(other)) return { rule: 'boundary', message };
  if (kindOf(own) === kindOf(other) && isBackward(own, other))
    return { rule: 'direction', message: DIRECTION };
  return deepImport(sources, specifier);
}

/** Imports across packages that their direction or the other package's `exports` forbids. */
export function boundaryProblems(sources: Sources): Problem[] {
  const problems: Problem[] = [];
  for (const [file, imports] of sources.imports) {
    if (file.startsWith(ONE_BUNDLE)) continue;
    for (const { specifier, line } of imports) {
      const refused = refusal(sources, file, specifier);
      if (refused)
        problems.push({ file, line, ...refused, message: `imports '${specifier}': ${refused.message}` });
    }
  }
  return problems;
}

/** An import that makes `from` depend on `to`, be they files, folders or packages. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
}

/** Imports that a problem lists at most. */
const MAX_LINES = 20;

/** Tests may import everything; nothing imports tests. */
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** Groups of nodes that reach each other (Tarjan's algorithm), without those of one node. */
function cyclicGroups(edges: readonly Edge[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const groups: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    stack.push(node);
    onStack.add(node);
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      if (onStack.has(target)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(target)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    for (const member of group) onStack.delete(member);
    if (group.length > 1) groups.push(group.sort());
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return groups;
}

/** One problem for each group, at the first import that is part of it, with the imports between its members. */
function report(rule: Problem['rule'], what: string, edges: readonly Edge[]): Problem[] {
  return cyclicGroups(edges).flatMap((group) => {
    const members = new Set(group);
    const inside = edges.filter(({ from, to }) => from !== to && members.has(from) && members.has(to));
    const [first] = inside;
    if (!first) return [];
    const pairs = Map.groupBy(inside, ({ from, to }) => `${from} → ${to}`);
    const lines = [...pairs].map(([pair, [example, ...more]]) => {
      const others = more.length > 0 ? ` and ${more.length} more` : '';
      return `    ${pair}: ${example!.file}:${example!.line} imports '${example!.specifier}'${others}`;
    });
    const hidden = lines.length > MAX_LINES ? [`    … and ${lines.length - MAX_LINES} more`] : [];
    const message = [`cycle of ${group.length} ${what}:`, ...lines.slice(0, MAX_LINES), ...hidden].join('\n');
    return [{ file: first.file, line: first.line, rule, message }];
  });
}

/** Each relative import between two source files. */
function fileEdges(sources: Sources): Edge[] {
  return [...sources.imports].flatMap(([file, imports]) =>
    isTest(file)
      ? []
      : imports.flatMap(({ specifier, line }) => {
          const target = resolveImport(sources, file, specifier);
          return target && target !== file ? [{ from: file, to: target, file, line, specifier }] : [];
        }),
  );
}

/**
 * The import as one between sibling folders: 'src/a/x.ts' → 'src/b/y.ts' gives 'src/a' → 'src/b'. None where one of the
 * two files belongs to their closest common folder.
 */
function betweenFolders(edge: Edge): Edge[] {
  const from = dirname(edge.from).split('/');
  const to = dirname(edge.to).split('/');
  const common = from.findIndex((segment, depth) => segment !== to[depth]);
  if (common < 0 || common >= to.length) return [];
  const sibling = (segments: string[]) => segments.slice(0, common + 1).join('/');
  return [{ ...edge, from: sibling(from), to: sibling(to) }];
}

/** Dynamic imports and test support don't count: a composition root may load an optional package that builds on its own. */
function packageEdges(sources: Sources): Edge[] {
  return [...sources.imports].flatMap(([file, imports]) => {
    const own = packageOf(sources, file);
    if (!own || isTest(file) || file.includes('/testing/')) return [];
    return imports.flatMap(({ specifier, line, isDynamic }) => {
      if (isDynamic) return [];
      const other = sources.packages.find(
        ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
      );
      return other && other !== own ? [{ from: own.name, to: other.name, file, line, specifier }] : [];
    });
  });
}

/** Import cycles of files, of sibling folders inside a package, and of packages. */
export function cycleProblems(sources: Sources): Problem[] {
  const files = fileEdges(sources);
  const folders = files
    .filter(({ from, to }) => packageOf(sources, from) === packageOf(sources, to))
    // Test support is made of everything, like tests.
    .filter(({ from }) => !from.includes('/testing/'))
    .flatMap(betweenFolders);
  return [
    ...report('file-cycle', 'files', files),
    ...report('folder-cycle', 'folders', folders),
    ...report('package-cycle', 'packages', packageEdges(sources)),
  ];
}

/** `npm run lint` runs this: one line for each forbidden import, exit status 1 if there is any. */
function main(): void {
  const sources = readSources(resolve(import.meta.dirname, '../../../..'));
  const problems = [...boundaryProblems(sources), ...cycleProblems(sources)];
  for (const { file, line, rule, message } of problems)
    process.stderr.write(`${file}:${line} ${rule}: ${message}\n`);
  if (problems.length > 0) {
    process.stderr.write(`${problems.length} problems with imports\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
