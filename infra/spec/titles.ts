import ts from 'typescript';

/** A test's title and where it stands, 1-based line. */
export interface TestTitle {
  readonly title: string;
  readonly file: string;
  readonly line: number;
}

const CALLS = new Set(['it', 'test', 'xit', 'xtest', 'fit']);
/** Tests which do not run prove nothing. */
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

/** The text of a literal; substitutions of a template stand as spaces, parts of a sum are joined. */
function literalText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => ` ${span.literal.text}`).join('');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return `${literalText(node.left) ?? ''}${literalText(node.right) ?? ''}`;
  return undefined;
}

/**
 * Titles of the tests in one file that run: `it`, `test` and their `each`, not
 * the skipped ones and nothing that stands in a comment or another string. In
 * a table of `it.each` the whole table is not read: ids belong into the title.
 */
export function testTitles(file: string, source: string): TestTitle[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind);
  const titles: TestTitle[] = [];
  const visit = (node: ts.Node, isSkipped: boolean): void => {
    let skipsBelow = isSkipped;
    if (ts.isCallExpression(node)) {
      const names = calleeNames(node.expression);
      const skips = isSkipped || names.some((name) => SKIPPED.has(name));
      const title = node.arguments[0] && literalText(node.arguments[0]);
      if (CALLS.has(names[0] ?? '') && title !== undefined && node.arguments.length > 1 && !skips)
        titles.push({
          title,
          file,
          line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1,
        });
      skipsBelow = isSkipped || (['describe', 'xdescribe'].includes(names[0] ?? '') && skips);
      if (names[0] === 'xdescribe') skipsBelow = true;
    }
    ts.forEachChild(node, (child) => visit(child, skipsBelow));
  };
  visit(tree, false);
  return titles;
}

/** Ids such as [A2-QP-01, B5-URL-02] in a title. Square brackets around anything else are no citation. */
export function citedIds(title: string): string[] {
  const groups = title.matchAll(/\[([^[\]]*)\]/g);
  return [...groups].flatMap(([, inside = '']) =>
    inside
      .split(',')
      .map((part) => part.trim())
      .filter((part) => /^[AB]\d+-[A-Z]+-\d+$/.test(part)),
  );
}
