import ts from 'typescript';

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

/** Ids of the `// rows: A2-QP-01, B5-URL-02` lines in the comments above a statement. */
function declaredRows(statement: ts.Node, source: string): string[] {
  const comments = ts.getLeadingCommentRanges(source, statement.getFullStart()) ?? [];
  return comments
    .map(({ pos, end }) => source.slice(pos, end))
    .filter((comment) => comment.startsWith('// rows:'))
    .flatMap((comment) => comment.slice('// rows:'.length).split(','))
    .map((part) => part.trim())
    .filter((part) => ROW_ID.test(part));
}

/**
 * Rows declared by the tests in one file that run: `it`, `test` and their `each`. Skipped tests, and declarations
 * above anything that is not a test, count for nothing.
 */
export function rowCitations(file: string, source: string): Citation[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind);
  const citations: Citation[] = [];
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
        const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
        const name = [...blocks, titlePattern(call.arguments[0], names.includes('each'))].join(' ');
        const test = { file, line, name: `^${name}$`, source: node.getText(tree) };
        citations.push(...declaredRows(node, source).map((id) => ({ id, ...test })));
      }
      if (node === call && ['describe', 'xdescribe'].includes(names[0] ?? ''))
        blocksBelow = [...blocks, titlePattern(call.arguments[0], names.includes('each'))];
      skipsBelow = isSkipped || (['describe', 'xdescribe'].includes(names[0] ?? '') && skips);
      if (names[0] === 'xdescribe') skipsBelow = true;
    }
    ts.forEachChild(node, (child) => visit(child, skipsBelow, blocksBelow));
  };
  visit(tree, false, []);
  return citations;
}
