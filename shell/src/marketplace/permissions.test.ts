import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import type { EventType } from '@forecourt/slots/events';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/upstream/calls';
import ts from 'typescript';
import { ALL_PLACEMENTS, PAGE_LAYOUTS } from './layouts.ts';
import * as rules from '../engine/layout/permissions.ts';
import { PERMISSIONS } from './permissions.ts';

const SITE = { layouts: PAGE_LAYOUTS, permissions: PERMISSIONS };
const emitsOf = (slot: string) => rules.emitsOf(SITE, slot);
const hearsOf = (slot: string) => rules.hearsOf(SITE, slot);
const BROWSER_CALLS = rules.browserCallsBySlot(SITE);
const browserCallsOf = (slot: string) => [...(BROWSER_CALLS.get(slot) ?? [])];
const layoutsWithFrames = (framed: readonly string[]) => rules.layoutsWithFrames(PAGE_LAYOUTS, framed);

const REPOSITORY = join(import.meta.dirname, '../../..');
const VERBS = ['emit', 'listen', 'call'] as const;
type Verb = (typeof VERBS)[number];

/** Texts that an argument may be; none for what only runs decide, such as a variable. */
function textsOf(node: ts.Expression | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  return ts.isConditionalExpression(node) ? [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)] : [];
}

const nameOf = (expression: ts.Expression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

/** The file that an import or export loads at run time. */
function importedBy(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    return textsOf(node.moduleSpecifier)[0];
  if (ts.isExportDeclaration(node) && !node.isTypeOnly) return textsOf(node.moduleSpecifier)[0];
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? textsOf(node.arguments[0])[0] : undefined;
}

type Uses = Readonly<Record<Verb, Set<string>>>;

interface Source {
  readonly imports: readonly string[];
  readonly uses: readonly (readonly [Verb, string])[];
}

const sources = new Map<string, Source>();

/** What a file imports, and the events and calls that it names; read once. */
function sourceAt(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const imports: string[] = [];
  const uses: (readonly [Verb, string])[] = [];
  const visit = (node: ts.Node): void => {
    const imported = importedBy(node);
    if (imported?.startsWith('.')) imports.push(join(dirname(file), imported));
    const verb = ts.isCallExpression(node) && VERBS.find((each) => each === nameOf(node.expression));
    if (verb) for (const text of textsOf(node.arguments[0])) uses.push([verb, text]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  sources.set(file, { imports, uses });
  return { imports, uses };
}

/** The events and calls that a source and the files that it imports name. */
function usesOf(file: string): Uses {
  const found: Uses = { emit: new Set(), listen: new Set(), call: new Set() };
  const seen = new Set<string>();
  const follow = (path: string): void => {
    if (seen.has(path) || !/\.tsx?$/.test(path)) return;
    seen.add(path);
    const { imports, uses } = sourceAt(path);
    for (const [verb, text] of uses) found[verb].add(text);
    imports.forEach(follow);
  };
  follow(file);
  return found;
}

const sourceOf = (slot: string, remote: string) => join(REPOSITORY, remote, `src/slots/${slot}.tsx`);

/** What a slot's source does and its permissions do not list, as one line each. */
function violations(slot: string, uses: Uses): string[] {
  const allowed: Readonly<Record<Verb, readonly string[]>> = {
    emit: emitsOf(slot),
    listen: hearsOf(slot),
    call: browserCallsOf(slot),
  };
  const lists = { emit: 'emits', listen: 'hears', call: 'calls' };
  return VERBS.flatMap((verb) =>
    [...uses[verb]]
      .filter((name) => !allowed[verb].includes(name))
      .map((name) => `slot ${slot}: add '${name}' to its ${lists[verb]} in permissions.ts, or remove it`),
  );
}

const SLOTS = new Map(
  ALL_PLACEMENTS.flatMap(({ slot, source }) => (source === 'shell' ? [] : [[slot, source.remote] as const])),
);

describe('the layouts with frames', () => {
  const framed = (slots: readonly string[]) =>
    Object.values(layoutsWithFrames(slots))
      .flat()
      .filter(({ isolation }) => isolation === 'frame')
      .map(({ slot }) => slot);

  it('have frames for the named optional slots only', () => {
    expect(framed([])).toEqual([]);
    expect(framed(['showcase', 'footer-ad'])).toEqual(['showcase', 'footer-ad']);
    const all = framed(ALL_PLACEMENTS.map(({ slot }) => slot));
    const rendersOnServer = ALL_PLACEMENTS.filter(
      ({ source, criticality, deadlineMs }) =>
        source !== 'shell' && criticality !== 'required' && deadlineMs !== 0,
    );
    expect(all.toSorted()).toEqual(rendersOnServer.map(({ slot }) => slot).toSorted());
    // Required, without HTML of the server, and the shell's own.
    for (const slot of ['results', 'leads', 'hero']) expect(all).not.toContain(slot);
  });
});

describe('permissions of slots in the browser', () => {
  it.each([...SLOTS])('allow what the source of slot %s (%s) emits, hears and calls', (slot, remote) => {
    const file = sourceOf(slot, remote);
    expect(existsSync(file)).toBe(true);
    expect(violations(slot, usesOf(file))).toEqual([]);
  });

  it('list nothing that no source uses', () => {
    const unused = [...SLOTS].flatMap(([slot, remote]) => {
      const uses = usesOf(sourceOf(slot, remote));
      const common = { emits: emitsOf('no-such-slot'), hears: hearsOf('no-such-slot') };
      const emits = emitsOf(slot).filter((type) => !common.emits.includes(type) && !uses.emit.has(type));
      const hears = hearsOf(slot).filter((type) => !common.hears.includes(type) && !uses.listen.has(type));
      return [...emits, ...hears].map((type) => `${slot}: ${type}`);
    });
    expect(unused).toEqual([]);
  });

  it('name slot and event when a source emits what is not listed', () => {
    const uses = { emit: new Set(['session.changed']), listen: new Set<string>(), call: new Set(['ad']) };
    expect(violations('showcase', uses)).toEqual([
      "slot showcase: add 'session.changed' to its emits in permissions.ts, or remove it",
      "slot showcase: add 'ad' to its calls in permissions.ts, or remove it",
    ]);
  });

  it('let a slot hear the events that wake it', () => {
    for (const { slot, wakes = [] } of ALL_PLACEMENTS)
      for (const wake of wakes) expect([slot, ...hearsOf(slot)]).toContain(wake.split(':')[0]);
  });

  it('list each event and call once, and only calls that browsers may make', () => {
    for (const slot of SLOTS.keys()) {
      for (const list of [emitsOf(slot), hearsOf(slot)] as EventType[][]) {
        expect(new Set(list).size).toBe(list.length);
        for (const type of list) expect(EVENT_SCHEMAS).toHaveProperty([type]);
      }
      const loads = ALL_PLACEMENTS.filter((one) => one.slot === slot).flatMap(({ calls = [] }) => calls);
      const isOpen = (name: string) => (CALLS[name as CallName] as CallDefinition).browser;
      expect(browserCallsOf(slot).filter((name) => !loads.includes(name) && !isOpen(name))).toEqual([]);
    }
  });
});
