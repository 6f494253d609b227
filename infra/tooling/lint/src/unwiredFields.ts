import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** What the product is made of: what a shopper's page and its API run. */
const PRODUCT = [
  'shared-contracts/*/src/**/*.{ts,tsx}',
  'mfe-*/src/**/*.{ts,tsx}',
  'shell/src/**/*.{ts,tsx}',
  'infra/services/marketplace-api/src/**/*.{ts,tsx}',
  'infra/services/identity/src/**/*.{ts,tsx}',
  'infra/service-kit/src/**/*.{ts,tsx}',
  'infra/demo-data/src/**/*.{ts,tsx}',
  'infra/tooling/{local,build,cli}/src/**/*.{ts,tsx}',
];
const NO_PRODUCT = /\.test\.tsx?$|\.e2e\.ts$|\/testing\/|\/recorded\/|\/scenarios\.tsx?$|\/probes\//;

/** Whose fields are checked: what shoppers meet. Options of tools and of the engine have other users. */
const CHECKED = /^(?:shared-contracts|mfe-[^/]+|shell\/src\/marketplace|infra\/services\/marketplace-api)\//;

/** Fields that others set or read, each with who does. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ...['isTTY', 'authToken', 'saveData', 'scopes_supported'].map(
    (name) => [name, 'set by the platform'] as const,
  ),
  ...['onPointerEnter', 'onFocus', 'onTouchStart', 'onTouchEnd', 'srcSet'].map(
    (name) => [name, 'read by the element that they are spread to'] as const,
  ),
  ...['retentionMs', 'maxRssBytes', 'perMinute', 'cooldownMs', 'refreshMs'].map(
    (name) => [name, 'a limit that tests make smaller'] as const,
  ),
  ['doc_count', 'set by OpenSearch'],
  ['maxDifference', 'a figure that the specification names; no text has it'],
]);

/** Fields of the types in one file, and the names that it writes and reads. */
interface Fields {
  readonly declared: readonly {
    readonly name: string;
    readonly line: number;
    readonly isOptional: boolean;
  }[];
  readonly written: ReadonlySet<string>;
  readonly read: ReadonlySet<string>;
}

const nameOf = (
  node: ts.PropertyName | ts.BindingName | ts.JsxAttributeName | undefined,
): string | undefined =>
  node && (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) ? node.text : undefined;

/** Collects names by syntax alone, so that a thousand files take seconds. */
function fieldsOf(path: string, source: string): Fields {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const declared: { name: string; line: number; isOptional: boolean }[] = [];
  const written = new Set<string>();
  const read = new Set<string>();
  const add = (names: Set<string>, name: string | undefined) => name !== undefined && names.add(name);
  const isAssigned = ({ parent }: ts.Node, node: ts.Node): boolean =>
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) {
      const name = nameOf(node.name);
      const { line } = file.getLineAndCharacterOfPosition(node.name.getStart());
      if (name !== undefined)
        declared.push({ name, line: line + 1, isOptional: node.questionToken !== undefined });
    } else if (
      ts.isPropertyAssignment(node) ||
      ts.isShorthandPropertyAssignment(node) ||
      ts.isMethodDeclaration(node)
    )
      add(written, nameOf(node.name));
    else if (ts.isGetAccessor(node) || ts.isPropertyDeclaration(node)) add(written, nameOf(node.name));
    else if (ts.isJsxAttribute(node))
      add(written, nameOf(ts.isIdentifier(node.name) ? node.name : undefined));
    else if (ts.isPropertyAccessExpression(node))
      add(isAssigned(node, node) ? written : read, node.name.text);
    else if (ts.isBindingElement(node)) add(read, nameOf(node.propertyName ?? node.name));
    // A name in a list of fields, or an element access, may do either.
    else if (ts.isStringLiteralLike(node)) {
      add(written, node.text);
      add(read, node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { declared, written, read };
}

/**
 * Optional fields that no file of the product sets, and fields that none reads: options, flags and data that only tests
 * use. `files` are the product's sources by path. By name alone: a field with the name of a wired one is not found.
 */
export function unwiredFields(
  files: ReadonlyMap<string, string>,
  others: Pick<typeof OTHERS, 'has'> = OTHERS,
): string[] {
  const fields = [...files].map(([path, source]) => [path, fieldsOf(path, source)] as const);
  const written = new Set(fields.flatMap(([, file]) => [...file.written]));
  const read = new Set(fields.flatMap(([, file]) => [...file.read]));
  return fields
    .filter(([path]) => CHECKED.test(path))
    .flatMap(([path, { declared }]) =>
      declared.flatMap(({ name, line, isOptional }) => {
        if (others.has(name)) return [];
        const missing = [
          ...(isOptional && !written.has(name) ? ['sets'] : []),
          ...(read.has(name) ? [] : ['reads']),
        ];
        return missing.length > 0
          ? [`${path}:${line}: no file of the product ${missing.join(' or ')} ${name}`]
          : [];
      }),
    );
}

/** `npm run lint` runs this: one line for each such field, exit status 1 if there is any. */
function main(): void {
  const root = resolve(import.meta.dirname, '../../../..');
  const paths = globSync(PRODUCT, { cwd: root }).filter(
    (path) => !NO_PRODUCT.test(path) && !path.includes('node_modules'),
  );
  const files = new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  for (const found of unwiredFields(files)) {
    process.exitCode = 1;
    process.stderr.write(`${found}\n`);
  }
}

if (import.meta.main) main();
