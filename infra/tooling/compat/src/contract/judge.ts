import {
  checkManifest,
  describeRefusal,
  type Provides,
  providesOf,
  type Refusal,
} from '@forecourt/releases/gate';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { packageOf } from '@forecourt/build/sharedModules';
import semver from 'semver';
import type { Render, TreeFacts } from '../host/runHost.ts';
import { eventDifferences, schemaDifferences } from './differences.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What a remote's sources use of the contracts at run time. */
export interface UsedContracts {
  /** Shared module to the names imported from it, types excluded. */
  readonly exports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every property name that the sources read or destructure. */
  readonly properties: ReadonlySet<string>;
}

const isReleased = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$|(?:^|[/\\])(?:testing|scenarios)(?:[/\\]|\.tsx?$)/.test(path);

function collect(text: string, used: { exports: Map<string, Set<string>>; properties: Set<string> }): void {
  const file = ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const addName = (from: ts.Expression | undefined, name: string) => {
    if (!from || !ts.isStringLiteral(from)) return;
    const names = used.exports.get(from.text) ?? new Set();
    used.exports.set(from.text, names.add(name));
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const clause = statement.importClause;
      if (!clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
      if (clause.namedBindings && ts.isNamedImports(clause.namedBindings))
        for (const { isTypeOnly, propertyName, name } of clause.namedBindings.elements)
          if (!isTypeOnly) addName(statement.moduleSpecifier, (propertyName ?? name).text);
    } else if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) {
      if (statement.exportClause && ts.isNamedExports(statement.exportClause))
        for (const { isTypeOnly, propertyName, name } of statement.exportClause.elements)
          if (!isTypeOnly) addName(statement.moduleSpecifier, (propertyName ?? name).text);
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) used.properties.add(node.name.text);
    else if (ts.isBindingElement(node)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) used.properties.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Reads the sources of a release below `folder`, without tests and scenarios. */
export function usedContracts(folder: string): UsedContracts {
  const used = { exports: new Map<string, Set<string>>(), properties: new Set<string>() };
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (isReleased(entry)) collect(readFileSync(join(folder, entry), 'utf8'), used);
  return used;
}

/**
 * - `works`
 * - `waits`: refused until the other side is deployed; a matter of order, not a breakage
 * - `broken`
 */
type Verdict = 'works' | 'waits' | 'broken';

export interface Judgement {
  readonly verdict: Verdict;
  /** Number of slots rendered, on all pages. */
  readonly renders: number;
  readonly reasons: readonly string[];
}

/** A release of one tree in the shell of the other. */
export interface Guest {
  readonly manifest: ReleaseManifest;
  readonly used: UsedContracts;
  /** Facts of the tree it was built in. */
  readonly home: TreeFacts;
  readonly renders: readonly Render[];
}

// Size budgets are the shell's current policy, not a matter of compatibility.
const ANY_SIZE: Provides['budgets'] = {
  remotes: {},
  preset: { bytes: Number.MAX_SAFE_INTEGER, reason: 'not checked here' },
};

/** Whether a refusal of the gate disappears once the newer side is deployed. */
function isOrder({ rule, found }: Refusal, { manifest, home }: Guest, host: TreeFacts): boolean {
  if (rule === 'CONTRACT_VERSION') {
    const [name = ''] = found.split(' ');
    const [built, provided] = [manifest.contracts[name], host.contracts[name]];
    return built !== undefined && provided !== undefined && semver.major(built) === semver.major(provided);
  }
  if (rule === 'SHARED_RANGE') {
    // Shared at home, not yet by the host.
    const [module = ''] = found.split(' ');
    return Object.hasOwn(home.shared, module) && !Object.hasOwn(host.shared, module);
  }
  if (rule === 'SLOT_MISSING') {
    const placedAtHome = home.placed[manifest.name] ?? [];
    const missing = (host.placed[manifest.name] ?? []).filter((slot) => !Object.hasOwn(manifest.slots, slot));
    // New in the host's page, not dropped by the remote.
    return missing.every((slot) => !placedAtHome.includes(slot));
  }
  return false;
}

function* missingParts({ manifest, used, home }: Guest, host: TreeFacts): Generator<string> {
  for (const [module, names] of used.exports)
    for (const name of names)
      if (
        host.exports[module] &&
        home.exports[module]?.includes(name) &&
        !host.exports[module].includes(name)
      )
        yield `imports ${name} of ${module}, which is not exported there`;
  const reads = new Set(Object.values(manifest.slots).flatMap((slot) => slot.reads));
  for (const part of reads)
    if (!host.stateKeys.includes(part)) yield `reads ${part}, which the store does not have`;
  if (reads.has('session'))
    for (const key of home.sessionKeys)
      if (!host.sessionKeys.includes(key) && used.properties.has(key))
        yield `reads session.${key}, which the store does not have`;
}

/** Whether this shell can use this release. */
export function judge(guest: Guest, host: TreeFacts): Judgement {
  const refusals = checkManifest(
    guest.manifest,
    providesOf({ ...host, state: host.stateKeys, pageSlots: [], budgets: ANY_SIZE }),
    // `missingParts` says which parts of the state are gone.
  ).filter(({ rule }) => rule !== 'READS_UNKNOWN');
  const waits = refusals.filter((refusal) => isOrder(refusal, guest, host));
  // A newer release may need what an older shell lacks; the gate then makes it wait.
  if (waits.length > 0 && waits.length === refusals.length)
    return { verdict: 'waits', renders: guest.renders.length, reasons: waits.map(describeRefusal) };
  const reasons = [
    ...refusals.map(describeRefusal),
    ...missingParts(guest, host),
    // A refused release is never rendered.
    ...(refusals.length > 0 ? [] : guest.renders).flatMap(({ slot, context, problem }) =>
      problem === undefined ? [] : [`${slot} over ${context} ${problem}`],
    ),
  ];
  return { verdict: reasons.length > 0 ? 'broken' : 'works', renders: guest.renders.length, reasons };
}

/** If each side waits for the other, neither can be deployed. */
export function judgeBoth(olderHere: Judgement, hereInOlder: Judgement): [Judgement, Judgement] {
  if (olderHere.verdict !== 'waits' || hereInOlder.verdict !== 'waits') return [olderHere, hereInOlder];
  const blocked = (one: Judgement): Judgement => ({
    ...one,
    verdict: 'broken',
    reasons: [...one.reasons, 'each side waits for the other: neither can be deployed first'],
  });
  return [blocked(olderHere), blocked(hereInOlder)];
}

/** How one contract package changed. */
export interface ContractJudgement {
  readonly name: string;
  /** Changes that break releases built against the older contract; not allowed within a major version. */
  readonly breaking: readonly string[];
  /** Additions; they require a higher minor version. */
  readonly added: readonly string[];
  readonly older: string;
  readonly newer: string;
}

/** The package that declares the state and the events of pages. */
const STATE_PACKAGE = '@forecourt/search';
/** The package that declares entities and calls. */
const SCHEMA_PACKAGE = '@forecourt/upstream';

const removedNames = (what: string, before: readonly string[], after: readonly string[]): string[] =>
  before.filter((name) => !after.includes(name)).map((name) => `${what}${name} is gone`);

/** Names of one package that `from` has and `to` lacks. */
function missingNames(name: string, from: TreeFacts, to: TreeFacts): string[] {
  const state =
    name === STATE_PACKAGE
      ? [
          ...removedNames('event ', from.events, to.events),
          ...removedNames('', from.stateKeys, to.stateKeys),
          ...removedNames('session.', from.sessionKeys, to.sessionKeys),
        ]
      : [];
  const exported = Object.entries(from.exports)
    .filter(([module]) => packageOf(module) === name)
    .flatMap(([module, names]) =>
      removedNames(`${module.slice(name.length)} export `, names, to.exports[module] ?? []),
    );
  return [...state, ...exported];
}

const NOTHING = { breaking: [], added: [] };

function judgeContract(name: string, older: TreeFacts, newer: TreeFacts): ContractJudgement {
  const schemas = name === SCHEMA_PACKAGE ? schemaDifferences(older.schemas, newer.schemas) : [];
  const events = name === STATE_PACKAGE ? eventDifferences(older.eventFields, newer.eventFields) : NOTHING;
  return {
    name,
    breaking: [
      ...missingNames(name, older, newer),
      ...events.breaking,
      ...schemas.filter(({ kind }) => kind !== 'added').map(({ text }) => text),
    ],
    added: [
      ...missingNames(name, newer, older).map((text) => text.replace(/is gone$/, 'is new')),
      ...events.added,
      ...schemas.filter(({ kind }) => kind === 'added').map(({ text }) => text),
    ],
    older: older.contracts[name] ?? '0.0.0',
    newer: newer.contracts[name] ?? '0.0.0',
  };
}

/** Compares the contracts, regardless of which parts are used. */
export const judgeContracts = (older: TreeFacts, newer: TreeFacts): ContractJudgement[] =>
  [...new Set([...Object.keys(older.contracts), ...Object.keys(newer.contracts)])]
    .sort()
    .map((name) => judgeContract(name, older, newer));

/** The smallest version that the changes since `older` allow: the next major after breaking ones, the next minor after additions. */
export function smallestVersion({ breaking, added, older }: ContractJudgement): string {
  if (breaking.length > 0) return semver.inc(older, 'major') ?? older;
  return added.length > 0 ? (semver.inc(older, 'minor') ?? older) : older;
}

/** Whether the next version is below the smallest one that is allowed: shells would accept remotes that fail in them. */
export const isTooLow = (contract: ContractJudgement): boolean =>
  semver.lt(contract.newer, smallestVersion(contract));
