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
export function otherName(node: ts.Node): string | undefined {
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
