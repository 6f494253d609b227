import { parseArgs } from 'node:util';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXCLUDED = new Set(['node_modules', 'dist', '.git', '.data', '.cache']);

/** All test files below a folder, by absolute path. */
export function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (EXCLUDED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test\.tsx?|e2e\.ts)$/.test(entry.name) ? [path] : [];
  });
}

/** What the tests of the repository declare to prove. */
export function readCitations(): Citation[] {
  return readDeclarations().flatMap(({ citations }) => citations);
}

const readDeclarations = (): Declarations[] =>
  testFiles(ROOT).map((path) => rowDeclarations(relative(ROOT, path), readFileSync(path, 'utf8')));

export function readRequirements(): Requirement[] {
  return parseRequirements(readFileSync(join(ROOT, 'infra/proofs/requirements/requirements.tsv'), 'utf8'));
}

interface Coverage {
  readonly owners: readonly { readonly owner: string; readonly cited: number; readonly total: number }[];
  readonly uncovered: readonly Requirement[];
  /** Citations of ids that the table does not have. */
  readonly unknown: readonly Citation[];
}

/** Which rows are cited, by main owner. */
export function measureCoverage(rows: readonly Requirement[], citations: readonly Citation[]): Coverage {
  const ids = new Set(rows.map((row) => row.id));
  const cited = new Set(citations.map(({ id }) => id));
  const owners = [...new Set(rows.map((row) => row.owner))].sort();
  return {
    owners: owners.map((owner) => {
      const own = rows.filter((row) => row.owner === owner);
      return { owner, cited: own.filter((row) => cited.has(row.id)).length, total: own.length };
    }),
    uncovered: rows.filter((row) => !cited.has(row.id)),
    unknown: citations.filter(({ id }) => !ids.has(id)),
  };
}

/** The table as text, one owner a line, and the sum. */
export function formatTable(owners: Coverage['owners']): string {
  const sum = (key: 'cited' | 'total') => owners.reduce((total, entry) => total + entry[key], 0);
  const lines = [...owners, { owner: 'all', cited: sum('cited'), total: sum('total') }].map(
    ({ owner, cited, total }) =>
      `${owner.padEnd(22)}${String(cited).padStart(6)}${String(total).padStart(7)}`,
  );
  return [`${'owner'.padEnd(22)}${'cited'.padStart(6)}${'total'.padStart(7)}`, ...lines].join('\n');
}

/** One row of requirements.tsv. */
export interface Requirement {
  readonly id: string;
  /** The first name of the owner column: who proves the row. */
  readonly owner: string;
  readonly area: string;
  readonly requirement: string;
  /** How to check it. */
  readonly check: string;
}

/** Reads the tab-separated table with its head line; throws on a row without id or a repeated id. */
export function parseRequirements(text: string): Requirement[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const columns = head.split('\t');
  const ids = new Set<string>();
  return lines.map((line, index) => {
    const cells = line.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? '';
    const id = cell('id');
    if (!id || ids.has(id))
      throw new Error(`requirements.tsv line ${index + 2}: id '${id}' is missing or repeated`);
    ids.add(id);
    return {
      id,
      owner: cell('owner').split('+')[0] ?? '',
      area: cell('area'),
      requirement: cell('requirement'),
      check: cell('check'),
    };
  });
}

/** A requirement row that a running test declares to prove; `line` is that of the test, 1-based. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** Regular expression for the test's full name, as Jest prints it. */
  readonly name: string;
  /** Source of the test. */
  readonly source: string;
}

const CALLS = new Set(['it', 'test', 'xit', 'xtest', 'fit']);
/** Modifiers of tests that do not run. */
const SKIPPED = new Set(['xit', 'xtest', 'skip', 'todo', 'failing']);

/** Names of a call such as `it`, `it.only`, `test.each`, outermost object first. */
function calleeNames(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression))
    return [...calleeNames(expression.expression), expression.name.text];
  // it.each([...])('title') and it.each`...`('title')
  if (ts.isCallExpression(expression)) return calleeNames(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return calleeNames(expression.tag);
  return [];
}

/** Regular expression for a title; values that are only known at run time match anything. */
function titlePattern(title: ts.Expression | undefined, isEach: boolean): string {
  const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  if (title === undefined || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return '.*';
  const parts = ts.isTemplateExpression(title)
    ? [title.head.text, ...title.templateSpans.map((span) => span.literal.text)]
    : [title.text];
  const fixedParts = isEach ? parts.flatMap((part) => part.split(/%[a-z#$]|\$#?[\w.]+/i)) : parts;
  return fixedParts.map(escape).join('.*');
}

const ROW_ID = /^[AB]\d+-[A-Z]+-\d+$/;

const DECLARATION = '// rows:';

const idsOf = (comment: string): string[] =>
  comment
    .slice(DECLARATION.length)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => ROW_ID.test(part));

/** The `// rows: A2-QP-01, B5-URL-02` lines in the comments above a statement. */
const declarationsAbove = (statement: ts.Node, source: string): ts.CommentRange[] =>
  (ts.getLeadingCommentRanges(source, statement.getFullStart()) ?? []).filter(({ pos }) =>
    source.startsWith(DECLARATION, pos),
  );

/** The rows that the tests of one file declare to prove. */
export interface Declarations {
  readonly citations: readonly Citation[];
  /** Lines that declare rows above anything but a test that runs, such as the end of a block. */
  readonly misplaced: readonly { readonly file: string; readonly line: number }[];
}

/** Positions of lines that declare rows, without those in texts. */
function declarationLines(tree: ts.SourceFile): number[] {
  const texts: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) texts.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...tree.text.matchAll(/^[ \t]*(?=\/\/ rows: [AB]\d)/gm)]
    .map((match) => match.index + match[0].length)
    .filter((position) => !texts.some((text) => text.pos < position && position < text.end));
}

/**
 * Rows declared by the tests in one file that run: `it`, `test` and their `each`. Skipped tests, and declarations
 * above anything that is not a test, count for nothing.
 */
export function rowDeclarations(file: string, source: string): Declarations {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind);
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const citations: Citation[] = [];
  const used = new Set<number>();
  const visit = (node: ts.Node, isSkipped: boolean, blocks: readonly string[]): void => {
    let blocksBelow = blocks;
    let skipsBelow = isSkipped;
    const call = ts.isExpressionStatement(node) ? node.expression : node;
    if (ts.isCallExpression(call)) {
      const names = calleeNames(call.expression);
      const skips = isSkipped || names.some((name) => SKIPPED.has(name));
      if (
        ts.isExpressionStatement(node) &&
        CALLS.has(names[0] ?? '') &&
        call.arguments.length > 1 &&
        !skips
      ) {
        const line = lineAt(node.getStart(tree));
        const name = [...blocks, titlePattern(call.arguments[0], names.includes('each'))].join(' ');
        const test = { file, line, name: `^${name}$`, source: node.getText(tree) };
        for (const { pos, end } of declarationsAbove(node, source)) {
          used.add(pos);
          citations.push(...idsOf(source.slice(pos, end)).map((id) => ({ id, ...test })));
        }
      }
      if (node === call && ['describe', 'xdescribe'].includes(names[0] ?? ''))
        blocksBelow = [...blocks, titlePattern(call.arguments[0], names.includes('each'))];
      skipsBelow = isSkipped || (['describe', 'xdescribe'].includes(names[0] ?? '') && skips);
      if (names[0] === 'xdescribe') skipsBelow = true;
    }
    ts.forEachChild(node, (child) => visit(child, skipsBelow, blocksBelow));
  };
  visit(tree, false, []);
  const unused = declarationLines(tree).filter((position) => !used.has(position));
  return { citations, misplaced: unused.map((position) => ({ file, line: lineAt(position) })) };
}

/** `npm run spec`: the table, and what no test cites. */
function main(): void {
  const { values } = parseArgs({ options: { owner: { type: 'string' } } });
  const rows = readRequirements();
  const declarations = readDeclarations();
  const citations = declarations.flatMap((declared) => declared.citations);
  const misplaced = declarations.flatMap((declared) => declared.misplaced);
  const { owners, uncovered, unknown } = measureCoverage(rows, citations);

  console.log(formatTable(owners));
  if (values.owner !== undefined) {
    if (!owners.some(({ owner }) => owner === values.owner)) {
      console.error(`\nNo row is owned by '${values.owner}'.`);
      process.exitCode = 1;
    }
    const open = uncovered.filter((row) => row.owner === values.owner);
    console.log(`\n${open.length} rows of ${values.owner} that no test cites:`);
    for (const { id, area, requirement } of open)
      console.log(`${id.padEnd(18)}${area.padEnd(18)}${requirement}`);
  }
  if (unknown.length > 0) {
    console.error('\nCited, but not in requirements.tsv:');
    for (const { id, file, line } of unknown) console.error(`${id.padEnd(18)}${file}:${line}`);
    process.exitCode = 1;
  }
  if (misplaced.length > 0) {
    console.error('\nDeclares rows, but not directly above a test that runs:');
    for (const { file, line } of misplaced) console.error(`${file}:${line}`);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
