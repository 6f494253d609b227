import ts from 'typescript';
import { variantsOf } from './mutators.ts';

/** One change of a source file: the characters from `start` to `end` become `text`. */
export interface Mutant {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Start of the closest code around it that runs as a whole. */
  readonly unit: number;
  readonly line: number;
  readonly operator: string;
  /** Excerpts; the replacement is empty for what is removed. */
  readonly original: string;
  readonly replacement: string;
  readonly source: string;
  /** Names of the two declarations around it, innermost first. */
  readonly context: string;
}

function parse(path: string, source: string): ts.SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
}

/** Passed by name only, or without effect on what a test can see. */
const IGNORED_ATTRIBUTES = /^(className|key|ref|style)$/;
const LOG_CALL = /(^|\.)(log|logger|console)\.\w+$/;

/** Source that stays as it is: types, imports, log lines, messages of errors. */
function isOpaque(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isEnumDeclaration(node)) return true;
  if (ts.isTypeParameterDeclaration(node) || ts.isHeritageClause(node)) return true;
  if (ts.isNewExpression(node)) return /Error$/.test(node.expression.getText());
  if (ts.isCallExpression(node)) return LOG_CALL.test(node.expression.getText());
  if (ts.isExpressionStatement(node)) return ts.isStringLiteral(node.expression);
  return ts.isJsxAttribute(node) && IGNORED_ATTRIBUTES.test(node.name.getText());
}

const isLiteral = (node: ts.Node) =>
  ts.isLiteralExpression(node) || ts.isArrowFunction(node) || /^(true|false|`.*`)$/s.test(node.getText());

/** What takes the place of a node that can be left out: an element, a property, a child, a statement. */
function placeholderOf(node: ts.Node): string | undefined {
  const { parent } = node;
  if (ts.isArrayLiteralExpression(parent)) return isLiteral(node) ? undefined : '...[]';
  if (ts.isSpreadAssignment(node) || ts.isShorthandPropertyAssignment(node)) return '...{}';
  if (ts.isPropertyAssignment(node)) return isLiteral(node.initializer) ? undefined : '...{}';
  if (ts.isJsxAttribute(node) && !node.initializer) return `${node.name.getText()}={undefined}`;
  const isElement = ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node);
  if (isElement && (ts.isJsxElement(parent) || ts.isJsxFragment(parent))) return '{null}';
  if (ts.isJsxText(node) && node.text.trim() !== '') return '';
  return ts.isExpressionStatement(parent) ? 'void 0' : undefined;
}

/** Part of an expression that may not run when the rest does. */
function isBranch(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent)) return node === parent.whenTrue || node === parent.whenFalse;
  if (ts.isArrowFunction(parent)) return parent.body === node && !ts.isBlock(node);
  const isLogical = ts.isBinaryExpression(parent) && /^(&&|\|\||\?\?)$/.test(parent.operatorToken.getText());
  return isLogical && parent.right === node;
}

const isListed = ({ parent }: ts.Node) =>
  ts.isSourceFile(parent) || ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent);
/** The body of an `if` or a loop without braces. */
const isEmbedded = (node: ts.Node) =>
  ts.isStatement(node) &&
  !ts.isBlock(node) &&
  (ts.isIfStatement(node.parent) || ts.isIterationStatement(node.parent, false));

const isUnit = (node: ts.Node) =>
  isBranch(node) || isEmbedded(node) || (ts.isStatement(node) && isListed(node));

/** Source that calls `reach(start)` whenever a unit, a statement or a branch of an expression, begins; lines stay. */
export function withMarkers(path: string, source: string): string {
  const file = parse(path, source);
  const insertions: { at: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const start = node.getStart(file);
    const [before, after] = isBranch(node)
      ? [`(reach(${start}),`, ')']
      : isEmbedded(node)
        ? [`{reach(${start});`, '}']
        : [isUnit(node) ? `reach(${start});` : '', ''];
    if (before) insertions.push({ at: start, text: before }, { at: node.end, text: after });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  let marked = source;
  // From the end; at one place, what was found first comes first.
  for (const { at, text } of insertions.toReversed().sort((a, b) => b.at - a.at))
    marked = marked.slice(0, at) + text + marked.slice(at);
  return `const reach=globalThis.reached?.(${JSON.stringify(path)})??(()=>{});${marked}`;
}

const excerpt = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text).replaceAll(/\s+/g, ' ');

/** Names of the two closest declarations or properties that a node is part of. */
function contextOf(node: ts.Node): string {
  const names: string[] = [];
  for (let { parent } = node; parent && names.length < 2; { parent } = parent) {
    const { name } = parent as { name?: ts.Node };
    if (name && (ts.isIdentifier(name) || ts.isStringLiteral(name))) names.push(name.text);
  }
  return names.join(' ');
}

function unitOf(node: ts.Node): number {
  let current = node;
  while (!ts.isSourceFile(current.parent) && !isUnit(current)) current = current.parent;
  return current.getStart();
}

/** All mutants of a source file. */
export function mutantsOf(path: string, source: string): Mutant[] {
  const file = parse(path, source);
  const lines = source.split('\n');
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, operator: string, text: string, replacement = text) => {
    const start = ts.isJsxText(node) ? node.pos : node.getStart(file);
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const original = excerpt(source.slice(start, node.end));
    const where = { path, start, end: node.end, line, unit: unitOf(node), context: contextOf(node) };
    mutants.push({
      ...where,
      text,
      operator,
      original,
      replacement: excerpt(replacement),
      source: lines[line - 1]!.trim(),
    });
  };
  const visit = (node: ts.Node): void => {
    if (isOpaque(node)) return;
    for (const { operator, text } of variantsOf(node, (each) => each.getText(file))) {
      const isShorthand = ts.isShorthandPropertyAssignment(node);
      add(node, operator, isShorthand ? `${node.name.text}: ${text}` : text, text);
    }
    const placeholder = placeholderOf(node);
    if (placeholder !== undefined) add(node, ts.isJsxText(node) ? 'text' : 'removed', placeholder, '');
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return mutants;
}

export const mutate = (
  source: string,
  { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>,
): string => source.slice(0, start) + text + source.slice(end);

export function isValid(source: string, mutant: Mutant): boolean {
  const { diagnostics } = ts.transpileModule(mutate(source, mutant), {
    fileName: mutant.path,
    reportDiagnostics: true,
  });
  return diagnostics?.length === 0;
}
