import ts from 'typescript';
import { variantsOf, type Variant } from './mutators.ts';

/** One change of a source file; `id` counts within the file. */
export interface Mutant {
  readonly id: number;
  readonly line: number;
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
  /** Its line without indentation. */
  readonly source: string;
  /** Names of the declarations around it, innermost first. */
  readonly context: string;
}

export interface InstrumentedSource {
  readonly code: string;
  readonly mutants: readonly Mutant[];
}

/** Passed by name only, or without effect on what a test can see. */
const IGNORED_ATTRIBUTES = new Set(['className', 'key', 'ref', 'style']);
const LOG_CALL = /(^|\.)(log|logger|console)\.\w+$/;

const isAssignment = (kind: ts.SyntaxKind) =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const INCREMENTS = new Set([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken]);
const FIXED_PARENTS = new Set([
  ts.SyntaxKind.PostfixUnaryExpression,
  ts.SyntaxKind.DeleteExpression,
  ts.SyntaxKind.TaggedTemplateExpression,
  ts.SyntaxKind.TypeOfExpression,
  ts.SyntaxKind.JsxAttribute,
  ts.SyntaxKind.ComputedPropertyName,
]);

/** Whether the code would no longer compile, or mean something else, with this expression in parentheses. */
function isFixed(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind))
    return true;
  // Parentheses would end an optional chain.
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node || ts.isOptionalChain(node);
  if (ts.isElementAccessExpression(parent)) return parent.expression === node && ts.isOptionalChain(node);
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    if (parent.expression === node) return true;
    return parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  }
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent))
    return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.initializer !== node;
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === node;
  if (ts.isPrefixUnaryExpression(parent)) return INCREMENTS.has(parent.operator);
  return FIXED_PARENTS.has(parent.kind);
}

/** Source that stays as it is: types, imports, log lines, messages of errors. */
function isOpaque(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node))
    return true;
  if (ts.isTypeParameterDeclaration(node) || ts.isHeritageClause(node)) return true;
  if (ts.isNewExpression(node)) return /Error$/.test(node.expression.getText());
  if (ts.isCallExpression(node)) return LOG_CALL.test(node.expression.getText());
  if (ts.isExpressionStatement(node)) return ts.isStringLiteral(node.expression);
  return ts.isJsxAttribute(node) && IGNORED_ATTRIBUTES.has(node.name.getText());
}

/** What JSX makes of a text: lines are trimmed and joined by a space. */
function jsxText(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.trimStart();
      return index === lines.length - 1 ? start : start.trimEnd();
    })
    .filter((line) => line !== '')
    .join(' ');
}

/** Names of the two closest declarations or properties that a node is part of. */
function declarationNames(node: ts.Node): string[] {
  const names: string[] = [];
  for (let { parent } = node; parent && names.length < 2; { parent } = parent) {
    const { name } = parent as { name?: ts.Node };
    if (name && (ts.isIdentifier(name) || ts.isStringLiteral(name))) names.push(name.text);
  }
  return names;
}

const excerpt = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text).replaceAll(/\s+/g, ' ');

/** Prints a source file in which `mutant(3)` being true switches its third mutant on. */
class Printer {
  readonly mutants: Mutant[] = [];
  readonly #file: ts.SourceFile;
  readonly #lines: readonly string[];

  constructor(file: ts.SourceFile) {
    this.#file = file;
    this.#lines = file.text.split('\n');
  }

  print(node: ts.Node): string {
    if (isOpaque(node)) return this.#text(node);
    if (ts.isJsxText(node)) return this.#printJsxText(node);
    if (ts.isJsxAttribute(node)) return this.#printAttribute(node);
    const inner = this.#printChildren(node);
    if (ts.isSourceFile(node) || isFixed(node)) return inner;
    return ts.isShorthandPropertyAssignment(node)
      ? this.#printRemovable(node, inner)
      : this.#printRemovable(node, this.#switch(node, variantsOf(node, this.#text), inner));
  }

  readonly #text = (node: ts.Node): string => node.getText(this.#file);

  #start(node: ts.Node): number {
    return ts.isJsxText(node) ? node.pos : node.getStart(this.#file);
  }

  #printChildren(node: ts.Node): string {
    const { text } = this.#file;
    let printed = '';
    let position = ts.isSourceFile(node) ? 0 : this.#start(node);
    ts.forEachChild(node, (child) => {
      if (child.end <= position) return;
      printed += text.slice(position, this.#start(child)) + this.print(child);
      position = child.end;
    });
    return printed + text.slice(position, node.end);
  }

  #add(node: ts.Node, operator: string, replacement: string): string {
    const id = this.mutants.length + 1;
    const line = this.#file.getLineAndCharacterOfPosition(this.#start(node)).line + 1;
    const original = excerpt(this.#text(node));
    const source = this.#lines[line - 1]?.trim() ?? '';
    const context = declarationNames(node).join(' ');
    this.mutants.push({ id, line, operator, original, replacement: excerpt(replacement), source, context });
    return `mutant(${id})`;
  }

  #switch(node: ts.Node, variants: readonly Variant[], inner: string): string {
    if (variants.length === 0) return inner;
    // `(x) :` could be the parameters of an arrow function.
    const cases = variants.map(({ operator, text }) => `${this.#add(node, operator, text)}?(0,${text}):`);
    return `(${cases.join('')}${inner})`;
  }

  /** Wraps what can be left out: elements, properties, children, statements. */
  #printRemovable(node: ts.Node, inner: string): string {
    const { parent } = node;
    const remove = () => this.#add(node, 'removed', '');
    const hasLiteral = (value: ts.Node) =>
      ts.isLiteralExpression(value) ||
      ts.isArrowFunction(value) ||
      ts.isTemplateExpression(value) ||
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(value.kind);
    if (ts.isArrayLiteralExpression(parent) && !hasLiteral(node) && !isTarget(parent))
      return ts.isSpreadElement(node)
        ? `...(${remove()}?[]:${inner.slice(3)})`
        : `...(${remove()}?[]:[${inner}])`;
    if (ts.isObjectLiteralExpression(parent) && !isTarget(parent)) {
      if (ts.isSpreadAssignment(node)) return `...(${remove()}?{}:${inner.slice(3)})`;
      if (ts.isShorthandPropertyAssignment(node)) {
        const value = this.#switch(node, variantsOf(node, this.#text), node.name.text);
        return `...(${remove()}?{}:{${node.name.text}:${value}})`;
      }
      const isPlain = ts.isPropertyAssignment(node) && !hasLiteral(node.initializer);
      return isPlain ? `...(${remove()}?{}:{${inner}})` : inner;
    }
    const isElement = ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node);
    if (isElement && (ts.isJsxElement(parent) || ts.isJsxFragment(parent)))
      return `{${remove()}?null:${inner}}`;
    if (ts.isExpressionStatement(parent) && !isTarget(node)) return `${remove()}||(${inner})`;
    return inner;
  }

  #printJsxText(node: ts.JsxText): string {
    const text = jsxText(node.text);
    if (text.trim() === '' || text.includes('&')) return this.#file.text.slice(node.pos, node.end);
    return `{${this.#add(node, 'text', '')}?"":${JSON.stringify(text)}}`;
  }

  #printAttribute(node: ts.JsxAttribute): string {
    const { initializer } = node;
    const name = this.#text(node.name);
    if (initializer === undefined) return `${name}={${this.#add(node, 'removed', '')}?undefined:true}`;
    if (ts.isStringLiteral(initializer)) {
      if (initializer.text.includes('&')) return this.#text(node);
      // An empty text would stay the same.
      const other = initializer.text === '' ? 'mutated' : '';
      return `${name}={${this.#add(node, 'string', other)}?"${other}":${this.#text(initializer)}}`;
    }
    return `${name}=${this.print(initializer)}`;
  }
}

/** Whether an expression is the target of an assignment. */
function isTarget(node: ts.Node): boolean {
  for (
    let child = node;
    child.parent && ts.isExpression(child.parent as ts.Expression);
    child = child.parent
  ) {
    const { parent } = child;
    if (ts.isBinaryExpression(parent) && parent.left === child && isAssignment(parent.operatorToken.kind))
      return true;
  }
  return (
    (ts.isForOfStatement(node.parent) || ts.isForInStatement(node.parent)) && node.parent.initializer === node
  );
}

/** Puts all mutants into a source file, switched by the global `mutation`; line numbers stay. */
export function instrument(path: string, source: string): InstrumentedSource {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const printer = new Printer(file);
  const printed = printer.print(file);
  const head = `const mutant=globalThis.mutation?.of(${JSON.stringify(path)})??(()=>false);`;
  return { code: head + printed, mutants: printer.mutants };
}
