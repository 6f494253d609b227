import ts from 'typescript';
import { otherName } from './otherName.ts';

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
