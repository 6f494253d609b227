import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { GeneratorError, type RemoteNames } from './names.ts';
import { findLayoutFile } from '@forecourt/cli/provides';
import { format, type FormatOptions } from 'oxfmt';
import ts from 'typescript';

const TEMPLATE = join(import.meta.dirname, '../template');

const LOCKFILE = 'package-lock.json';
export const OWNERS = '.github/CODEOWNERS';

/**
 * CODEOWNERS with an entry for the remote's folder after the other remotes.
 * Later lines win, so it must not stand above a general pattern.
 */
export function addOwner(text: string, folder: string, team: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('/mfe-'));
  // Aligned with the owner of the remote above.
  const column = last < 0 ? 0 : (lines[last] ?? '').indexOf('@');
  const line = `${`/${folder}/`.padEnd(column - 1)} @forecourt/${team}`;
  if (last < 0) return `${text.replace(/\n*$/, '\n')}${line}\n`;
  return lines.toSpliced(last + 1, 0, line).join('\n');
}

const lockfileSchema = z.looseObject({ packages: z.record(z.string(), z.unknown()) });

/** Fields of a workspace's package.json that npm repeats in the lockfile. */
const workspaceSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

/**
 * Adds a workspace to a lockfile (the repository's or that of node_modules) as
 * npm would. Its dependencies must be in the lockfile already, like those of
 * every remote: nothing is downloaded.
 */
function addWorkspace(lockJson: string, folder: string, packageJson: string): string {
  const lockfile: unknown = JSON.parse(lockJson);
  const { packages } = lockfileSchema.parse(lockfile);
  const { name, version, license, dependencies, devDependencies } = workspaceSchema.parse(
    JSON.parse(packageJson),
  );
  const entries = {
    ...packages,
    [folder]: { name, version, license, dependencies, devDependencies },
    [`node_modules/${name}`]: { resolved: folder, link: true },
  };
  const sorted = Object.fromEntries(
    Object.entries(entries).sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
  // Spreading the original keeps the order of npm's own keys.
  return `${JSON.stringify({ ...(lockfile as object), packages: sorted }, null, 2)}\n`;
}

const packageJsonOf = (changes: readonly Change[], folder: string): string | undefined =>
  changes.find(({ path }) => path === `${folder}/package.json`)?.text;

/**
 * Everything that a new remote changes in the repository at `root`. Writes
 * nothing.
 * @throws GeneratorError REMOTE_EXISTS, SLOT_TAKEN, REPOSITORY_UNEXPECTED
 */
export async function planRemote(root: string, names: RemoteNames): Promise<Change[]> {
  if (existsSync(join(root, names.remote)))
    throw new GeneratorError('REMOTE_EXISTS', `the folder ${names.remote} exists already`);
  const files = await planTemplate(root, TEMPLATE, names);
  const packageJson = packageJsonOf(files, names.remote) ?? '';
  return [
    ...files,
    await planPlacement(root, names),
    await planEdit(root, OWNERS, (text) => addOwner(text, names.remote, names.team)),
    await planEdit(root, LOCKFILE, (text) => addWorkspace(text, names.remote, packageJson)),
  ];
}

/**
 * Does in node_modules what `npm install` would do for a workspace without new
 * packages: the link, and the entry by which npm and `npm start` find it.
 */
function linkWorkspace(root: string, folder: string, packageJson: string): void {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return;
  const { name } = JSON.parse(packageJson) as { name: string };
  const link = join(root, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, folder)), link, 'junction');
  replaceFile(installed, addWorkspace(readFileSync(installed, 'utf8'), folder, packageJson));
}

/** Writes the planned changes and links the new workspace where packages are installed. */
export function writeRemote(root: string, folder: string, changes: readonly Change[]): void {
  writeChanges(root, changes);
  const packageJson = packageJsonOf(changes, folder);
  if (packageJson !== undefined) linkWorkspace(root, folder, packageJson);
}

const SLOT_TEMPLATE = join(import.meta.dirname, '../slot-template');

/** Places the slot in the shell's page layout. @throws GeneratorError REPOSITORY_UNEXPECTED, SLOT_TAKEN */
function planPlacement(root: string, { remote, slot }: RemoteNames): Promise<Change> {
  const layout = findLayoutFile(root);
  if (layout === undefined)
    throw new GeneratorError('REPOSITORY_UNEXPECTED', 'no file below shell/src declares the table LAYOUT');
  return planEdit(root, layout, (text) => addPlacement(text, { slot, source: remote }));
}

/**
 * The three files of a new slot of an existing remote: the slot, its test, and
 * the page layout. Writes nothing.
 * @throws GeneratorError REMOTE_UNKNOWN, SLOT_TAKEN, REPOSITORY_UNEXPECTED
 */
export async function planSlot(root: string, names: RemoteNames): Promise<Change[]> {
  if (!existsSync(join(root, names.remote, 'package.json')))
    throw new GeneratorError('REMOTE_UNKNOWN', `there is no remote ${names.remote}; create it first`);
  const changes = await planTemplate(root, SLOT_TEMPLATE, names);
  const existing = changes.find(({ path }) => existsSync(join(root, path)));
  if (existing) throw new GeneratorError('SLOT_TAKEN', `${existing.path} exists already`);
  return [...changes, await planPlacement(root, names)];
}

/** A file that a generator writes. */
export interface Change {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly kind: 'create' | 'edit';
  readonly text: string;
}

const rename = (text: string, { remote, slot, component, title }: RemoteNames): string =>
  text
    .replaceAll('mfe-sample', remote)
    .replaceAll('sample-panel', slot)
    .replaceAll('SamplePanel', component)
    .replaceAll('Sample panel', title)
    .replaceAll('sample panel', title.toLowerCase());

/** The layout depends on the length of names, so generated text is formatted again. */
async function formatText(root: string, path: string, text: string): Promise<string> {
  if (!/\.(?:tsx?|css|md)$/.test(path)) return text;
  const options = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatOptions;
  const { code, errors } = await format(path, text, options);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}

/** One new file in the remote's folder for each file of the template, with the new names. */
async function planTemplate(root: string, template: string, names: RemoteNames): Promise<Change[]> {
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    files.map(async (file): Promise<Change> => {
      const path = `${names.remote}/${rename(relative(template, file).split(sep).join('/'), names)}`;
      const text = await formatText(root, path, rename(readFileSync(file, 'utf8'), names));
      return { path, kind: 'create', text };
    }),
  );
}

/** An edit of a file that must exist. @throws GeneratorError REPOSITORY_UNEXPECTED */
async function planEdit(root: string, path: string, edit: (text: string) => string): Promise<Change> {
  if (!existsSync(join(root, path))) throw new GeneratorError('REPOSITORY_UNEXPECTED', `${path} is missing`);
  const text = edit(readFileSync(join(root, path), 'utf8'));
  return { path, kind: 'edit', text: await formatText(root, path, text) };
}

/** Replaces a file in one step; a hard link elsewhere keeps its content. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

export function writeChanges(root: string, changes: readonly Change[]): void {
  for (const { path, text } of changes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    replaceFile(join(root, path), text);
  }
}

/** A slot in the page layout and its source: 'shell' or a remote. */
export interface Placement {
  readonly slot: string;
  readonly source: string;
}

interface ParsedPlacement extends Placement {
  /** Start of the element, including the comments above it. */
  readonly start: number;
}

const LAYOUT = 'LAYOUT';
/** New slots are placed before this one, at the end of the page's main content. */
const NEXT_SLOT = 'related';

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of node.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
  return undefined;
}

function sourceOf(expression: ts.Expression | undefined): string | undefined {
  if (!expression) return undefined;
  if (ts.isStringLiteral(expression)) return expression.text;
  const remote = ts.isObjectLiteralExpression(expression) ? propertyOf(expression, 'remote') : undefined;
  return remote && ts.isStringLiteral(remote) ? remote.text : undefined;
}

function layoutOf(text: string): { placements: ParsedPlacement[]; end: number } {
  const file = ts.createSourceFile('layout.ts', text, ts.ScriptTarget.Latest, true);
  const constants = new Map(
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap((statement) => [...statement.declarationList.declarations])
      .map((declaration) => [declaration.name.getText(), declaration.initializer]),
  );
  const array = constants.get(LAYOUT);
  if (!array || !ts.isArrayLiteralExpression(array))
    throw new GeneratorError('REPOSITORY_UNEXPECTED', `the page layout has no array ${LAYOUT}`);
  const placements = array.elements.map((element) => {
    // A placement of several pages is a constant of its own.
    const placement = ts.isIdentifier(element) ? constants.get(element.text) : element;
    const isObject = placement !== undefined && ts.isObjectLiteralExpression(placement);
    const slot = isObject ? propertyOf(placement, 'slot') : undefined;
    const source = isObject ? sourceOf(propertyOf(placement, 'source')) : undefined;
    if (!slot || !ts.isStringLiteral(slot) || source === undefined)
      throw new GeneratorError(
        'REPOSITORY_UNEXPECTED',
        `the page layout has an entry without slot and source: ${element.getText().slice(0, 60)}`,
      );
    return { slot: slot.text, source, start: element.getFullStart() };
  });
  return { placements, end: array.elements.end };
}

/** The placements of a layout file, in document order. */
export const readPlacements = (text: string): Placement[] =>
  layoutOf(text).placements.map(({ slot, source }) => ({ slot, source }));

/**
 * Adds the slot at the end of the page's main content: optional, rendered on the
 * server, hydrated when visible, without reserved space, reading what every slot
 * may. The rest of the file stays unchanged.
 * @throws GeneratorError SLOT_TAKEN
 */
function addPlacement(text: string, { slot, source }: Placement): string {
  const { placements, end } = layoutOf(text);
  const existing = placements.find((placement) => placement.slot === slot);
  if (existing)
    throw new GeneratorError(
      'SLOT_TAKEN',
      `the page already has a slot '${slot}' from ${existing.source}: choose another name`,
    );
  const position = placements.find((placement) => placement.slot === NEXT_SLOT)?.start ?? end;
  const placement = `
  {
    slot: '${slot}',
    source: { remote: '${source}' },
    criticality: 'optional',
    deadlineMs: 300,
    hydrate: 'visible',
    reserve: { narrow: '0', wide: '0' },
    mayRead: [],
  },`;
  return text.slice(0, position) + placement + text.slice(position);
}
