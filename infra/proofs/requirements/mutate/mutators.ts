import ts from 'typescript';

const isFunction = (node: ts.Node) => ts.isFunctionLike(node) || ts.isSourceFile(node);

function enclosing(node: ts.Node, matches: (node: ts.Node) => boolean): ts.Node {
  let current = node.parent;
  while (!matches(current)) current = current.parent;
  return current;
}

/** Whether a property is read here as a value: not called, assigned or the start of a longer chain. */
function isRead(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  const isStart =
    (ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent) ||
      ts.isCallExpression(parent) ||
      ts.isNonNullExpression(parent)) &&
    parent.expression === node;
  return !isStart;
}

/** Names read from the same object in the same function, in order. */
function namesReadFrom(receiver: string, scope: ts.Node): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && isRead(node) && node.expression.getText() === receiver)
      names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return [...names];
}

const nextOf = (name: string, names: readonly string[]) => {
  const next = names.includes(name) ? names[(names.indexOf(name) + 1) % names.length] : name;
  return next === name ? undefined : next;
};

/** Names that the same pattern binds: `{ label, value }` of a parameter or a variable. */
function namesBoundWith(identifier: ts.Identifier): string[] {
  let found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectBindingPattern(node)) {
      const names = node.elements.flatMap((element) =>
        ts.isIdentifier(element.name) && !element.dotDotDotToken ? [element.name.text] : [],
      );
      if (names.includes(identifier.text)) found = names;
    }
    ts.forEachChild(node, visit);
  };
  for (
    let scope = enclosing(identifier, isFunction);
    found.length === 0;
    scope = enclosing(scope, isFunction)
  ) {
    visit(scope);
    if (ts.isSourceFile(scope)) break;
  }
  return found;
}

/** A place where a value is handed on: `{ key: value }`, `attribute={value}` or `{value}` in JSX. */
const isHandedOn = ({ parent }: ts.Node) => ts.isPropertyAssignment(parent) || ts.isJsxExpression(parent);

/**
 * The value beside the one that is read: `row.value` instead of `row.label`, where the same function reads both.
 * This is the mix-up that types don't catch.
 */
function otherName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const receiver = node.expression.getText();
    const isSimple = /^[\w.?]+$/.test(receiver) && receiver !== 'this' && receiver !== 'import.meta';
    if (!isSimple || !isRead(node) || node.questionDotToken) return undefined;
    const other = nextOf(node.name.text, namesReadFrom(receiver, enclosing(node, isFunction)));
    return other === undefined ? undefined : `${receiver}.${other}`;
  }
  if (ts.isShorthandPropertyAssignment(node)) return nextOf(node.name.text, namesBoundWith(node.name));
  if (!ts.isIdentifier(node) || !isHandedOn(node)) return undefined;
  return nextOf(node.text, namesBoundWith(node));
}

/** One way to break an expression: the text that replaces it. */
export interface Variant {
  readonly operator: string;
  readonly text: string;
}

const SWAPPED_OPERATORS = new Map<ts.SyntaxKind, readonly string[]>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.EqualsEqualsToken, ['!=']],
  [ts.SyntaxKind.ExclamationEqualsToken, ['==']],
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.MinusToken, ['+']],
  [ts.SyntaxKind.AsteriskToken, ['/']],
  [ts.SyntaxKind.SlashToken, ['*']],
  [ts.SyntaxKind.PercentToken, ['*']],
  [ts.SyntaxKind.AmpersandToken, ['|']],
  [ts.SyntaxKind.BarToken, ['&']],
  [ts.SyntaxKind.LessThanLessThanToken, ['>>']],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, ['<<']],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, ['<<']],
]);

/** Either side alone is left of these. */
const LOGICAL = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const SWAPPED_METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toUpperCase', 'toLowerCase'],
  ['toLowerCase', 'toUpperCase'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
]);

/** Calls of these methods are replaced by their receiver. */
const DROPPED_METHODS = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'concat',
  'flat',
]);

/** The next number; from 1,000 on the double, since few tests measure a millisecond. */
const changedNumber = (value: number) => (Math.abs(value) >= 1000 ? value * 2 : value + 1);

function binaryVariants(node: ts.BinaryExpression, text: (node: ts.Node) => string): Variant[] {
  const { kind } = node.operatorToken;
  const [left, right] = [text(node.left), text(node.right)];
  if (LOGICAL.has(kind))
    return [
      { operator: 'left side', text: left },
      { operator: 'right side', text: right },
    ];
  if (kind === ts.SyntaxKind.PlusToken) {
    const isText = [node.left, node.right].some(
      (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
    );
    return isText ? [] : [{ operator: 'arithmetic', text: `${left} - (${right})` }];
  }
  return (SWAPPED_OPERATORS.get(kind) ?? []).map((operator) => ({
    operator: 'operator',
    text: `${left} ${operator} ${right}`,
  }));
}

function callVariants(node: ts.CallExpression, text: (node: ts.Node) => string): Variant[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.questionDotToken) return [];
  const name = expression.name.text;
  const receiver = text(expression.expression);
  const swapped = SWAPPED_METHODS.get(name);
  const args = node.arguments.map(text).join(', ');
  if (swapped !== undefined) return [{ operator: 'method', text: `${receiver}.${swapped}(${args})` }];
  return DROPPED_METHODS.has(name) ? [{ operator: 'method removed', text: receiver }] : [];
}

function regexVariants(literal: string): Variant[] {
  const changes = [
    literal.replace(/^\/\^/, '/'),
    literal.replace(/(?<!\\)\$(?=\/[a-z]*$)/, ''),
    literal.replace(/\\([dws])/, (_, name: string) => `\\${name.toUpperCase()}`),
    literal.replace(/(?<=[\]\w)])\+(?!\?)/, ''),
    literal.replace(/\[(?!\^)/, '[^'),
    literal.replace(/\{(\d+)/, (_, count: string) => `{${Number(count) + 1}`),
    literal.replace(/,(\d+)\}/, (_, count: string) => `,${Number(count) + 1}}`),
    literal.replace(/(\/[a-z]*)i([a-z]*)$/, '$1$2'),
  ];
  const valid = (source: string) => {
    try {
      const end = source.lastIndexOf('/');
      new RegExp(source.slice(1, end), source.slice(end + 1));
      return true;
    } catch {
      return false;
    }
  };
  return [...new Set(changes)]
    .filter((change) => change !== literal && change !== '//' && valid(change))
    .map((change) => ({ operator: 'regex', text: change }));
}

function literalVariants(node: ts.Node): Variant[] {
  if (ts.isNumericLiteral(node))
    return [{ operator: 'number', text: String(changedNumber(Number(node.text))) }];
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    const isEmpty = ts.isStringLiteralLike(node) && node.text === '';
    return [{ operator: 'string', text: isEmpty ? "'mutated'" : "''" }];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ operator: 'boolean', text: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ operator: 'boolean', text: 'true' }];
  if (ts.isRegularExpressionLiteral(node)) return regexVariants(node.text);
  return [];
}

function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
    ((ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node)
  );
}

/** All variants of an expression; `text` prints source without mutants. */
export function variantsOf(node: ts.Node, text: (node: ts.Node) => string): Variant[] {
  const variants = literalVariants(node);
  if (ts.isBinaryExpression(node)) variants.push(...binaryVariants(node, text));
  if (ts.isCallExpression(node)) variants.push(...callVariants(node, text));
  if (ts.isPrefixUnaryExpression(node)) {
    const isNegation = [ts.SyntaxKind.ExclamationToken, ts.SyntaxKind.MinusToken].includes(node.operator);
    if (isNegation) variants.push({ operator: 'negation', text: text(node.operand) });
  }
  const other = otherName(node);
  if (other !== undefined) variants.push({ operator: 'other name', text: other });
  if (isCondition(node)) {
    // A loop that never ends says nothing.
    if (!ts.isWhileStatement(node.parent) && !ts.isForStatement(node.parent))
      variants.push({ operator: 'condition', text: 'true' });
    variants.push({ operator: 'condition', text: 'false' });
  }
  const isBody = ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node);
  if (isBody && variants.length === 0) variants.push({ operator: 'result', text: 'undefined' });
  if (ts.isReturnStatement(node.parent) && variants.length === 0 && !ts.isIdentifier(node))
    variants.push({ operator: 'result', text: 'undefined' });
  return variants;
}
