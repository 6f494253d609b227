import ts from 'typescript';

/** The function, or the file, that a node is part of. */
function scopeOf(node: ts.Node): ts.Node {
  let scope = node.parent;
  while (!ts.isFunctionLike(scope) && !ts.isSourceFile(scope)) scope = scope.parent;
  return scope;
}

/** Whether a property is read here as a value: not called, assigned or the start of a longer chain. */
function isRead(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  const isChain = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent);
  const goesOn = isChain || ts.isCallExpression(parent) || ts.isNonNullExpression(parent);
  return !(goesOn && parent.expression === node);
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

/** Names that the closest pattern before it binds: `{ label, value }` of a parameter or a variable. */
function namesBoundWith(identifier: ts.Identifier): string[] {
  let found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectBindingPattern(node) && node.pos < identifier.pos) {
      const elements = node.elements.filter(({ dotDotDotToken }) => !dotDotDotToken);
      const names = elements.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []));
      if (names.includes(identifier.text)) found = names;
    }
    ts.forEachChild(node, visit);
  };
  visit(identifier.getSourceFile());
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
    const other = nextOf(node.name.text, namesReadFrom(receiver, scopeOf(node)));
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

/** 'a:b,c d:e': a becomes b or c, d becomes e. */
const table = (text: string) =>
  new Map(Array.from(text.matchAll(/(\S+?):(\S+)/g), ([, from = '', to = '']) => [from, to.split(',')]));
const SWAPPED_OPERATORS = table(
  '===:!== !==:=== ==:!= !=:== <:<=,>= <=:<,> >:>=,<= >=:>,< -:+ *:/ /:* %:* &:| |:& <<:>> >>:<< >>>:<<',
);
const SWAPPED_METHODS = table(
  'some:every every:some startsWith:endsWith endsWith:startsWith toUpperCase:toLowerCase ' +
    'toLowerCase:toUpperCase min:max max:min floor:ceil ceil:floor round:floor',
);
/** Calls of these methods are replaced by their receiver. */
const DROPPED_METHODS = /^(filter|slice|sort|toSorted|reverse|toReversed|trim|concat|flat)$/;

/** The next number; from 1,000 on the double, since few tests measure a millisecond. */
const changedNumber = (value: number) => (Math.abs(value) >= 1000 ? value * 2 : value + 1);

function binaryVariants(node: ts.BinaryExpression, text: (node: ts.Node) => string): Variant[] {
  const operator = node.operatorToken.getText();
  const [left, right] = [text(node.left), text(node.right)];
  // Either side alone is left of these.
  if (/^(&&|\|\||\?\?)$/.test(operator))
    return [
      { operator: 'left side', text: left },
      { operator: 'right side', text: right },
    ];
  const hasText = [node.left, node.right].some(
    (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
  );
  if (operator === '+') return hasText ? [] : [{ operator: 'arithmetic', text: `${left} - (${right})` }];
  const swapped = SWAPPED_OPERATORS.get(operator) ?? [];
  return swapped.map((other) => ({ operator: 'operator', text: `${left} ${other} ${right}` }));
}

function callVariants(node: ts.CallExpression, text: (node: ts.Node) => string): Variant[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.questionDotToken) return [];
  const name = expression.name.text;
  const receiver = text(expression.expression);
  const [swapped] = SWAPPED_METHODS.get(name) ?? [];
  const args = node.arguments.map(text).join(', ');
  if (swapped !== undefined) return [{ operator: 'method', text: `${receiver}.${swapped}(${args})` }];
  return DROPPED_METHODS.test(name) ? [{ operator: 'method removed', text: receiver }] : [];
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
  return [...new Set(changes)]
    .filter((change) => change !== literal && change !== '//')
    .map((text) => ({ operator: 'regex', text }));
}

function literalVariants(node: ts.Node): Variant[] {
  const one = (operator: string, text: string) => [{ operator, text }];
  if (ts.isNumericLiteral(node)) return one('number', String(changedNumber(Number(node.text))));
  if (ts.isStringLiteralLike(node) && node.text === '') return one('string', "'mutated'");
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return one('string', "''");
  if (node.kind === ts.SyntaxKind.TrueKeyword) return one('boolean', 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) return one('boolean', 'true');
  return ts.isRegularExpressionLiteral(node) ? regexVariants(node.text) : [];
}

function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
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
  const { parent } = node;
  const isBody = ts.isArrowFunction(parent) && parent.body === node && !ts.isBlock(node);
  if (variants.length === 0 && (isBody || (ts.isReturnStatement(parent) && !ts.isIdentifier(node))))
    variants.push({ operator: 'result', text: 'undefined' });
  return variants;
}
