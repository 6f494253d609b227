import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const CONTRACTS = resolve(import.meta.dirname, '../../../../../shared-contracts');

/** The contract packages, by folder below `shared-contracts/`: each imports only those before it. */
export const CONTRACT_PACKAGES = ['releases', 'slots', 'upstream', 'search'] as const;

interface PackageJson {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

const readPackage = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(CONTRACTS, folder, 'package.json'), 'utf8')) as PackageJson;

/** A public name, where it is declared, and the first sentence of its comment. */
interface PublicName {
  readonly name: string;
  readonly isType: boolean;
  readonly file: string;
  readonly sentence: string;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The first sentence of the comment that belongs to a declaration. */
function sentenceOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? '';
  return oneLine(/^.*?(?<!e\.g)[.:](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/:$/, '.');
}

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** The file that a module specifier names: a relative one, or a subpath of a contract package. */
function resolveModule(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  for (const folder of CONTRACT_PACKAGES) {
    const { name, exports } = readPackage(folder);
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const target = exports[`.${specifier.slice(name.length)}`];
    if (target !== undefined) return join(CONTRACTS, folder, target);
  }
  throw new Error(`${from}: ${specifier} is no module of a contract package`);
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

function* namesOf(binding: ts.BindingName): Generator<string> {
  if (ts.isIdentifier(binding)) yield binding.text;
  else
    for (const element of binding.elements)
      if (!ts.isOmittedExpression(element)) yield* namesOf(element.name);
}

function declaredNames(statement: ts.Statement): { name: string; isType: boolean }[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations
      .flatMap(({ name }) => [...namesOf(name)])
      .map((name) => ({ name, isType: false }));
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name ? [{ name: statement.name.text, isType: false }] : [];
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [{ name: statement.name.text, isType: true }];
  return [];
}

/** Every name that a module exports, followed to its declaration. */
function publicNames(file: string): PublicName[] {
  const source = parse(file);
  const names: PublicName[] = [];
  const imported = new Map<string, string>();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && statement.importClause?.namedBindings) {
      const bindings = statement.importClause.namedBindings;
      if (ts.isNamedImports(bindings))
        for (const { name } of bindings.elements)
          imported.set(name.text, (statement.moduleSpecifier as ts.StringLiteral).text);
    }
    if (isExported(statement)) {
      const sentence = sentenceOf(statement);
      for (const declared of declaredNames(statement)) names.push({ ...declared, file, sentence });
    }
    if (!ts.isExportDeclaration(statement)) continue;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text;
    if (!statement.exportClause) {
      if (specifier !== undefined) names.push(...publicNames(resolveModule(file, specifier)));
    } else if (ts.isNamedExports(statement.exportClause)) {
      for (const element of statement.exportClause.elements) {
        const name = (element.propertyName ?? element.name).text;
        const origin = specifier ?? imported.get(name);
        const found =
          origin === undefined
            ? undefined
            : publicNames(resolveModule(file, origin)).find((one) => one.name === name);
        if (!found) throw new Error(`${file}: the declaration of ${name} was not found`);
        names.push({ ...found, name: element.name.text });
      }
    }
  }
  return names;
}

/** `api.md` of one contract package: every exported name with one sentence and a link to its source. */
export function createApiReport(folder: string): { readonly path: string; readonly markdown: string } {
  const { name, exports } = readPackage(folder);
  const root = join(CONTRACTS, folder);
  let count = 0;
  const sections = Object.entries(exports)
    .filter(([, target]) => /\.tsx?$/.test(target))
    .map(([subpath, target]) => {
      const names = publicNames(join(root, target)).sort((left, right) => (left.name < right.name ? -1 : 1));
      count += names.length;
      const lines = names.map(({ name: each, isType, file, sentence }) => {
        const link = `[\`${each}\`](${relative(root, file).replaceAll('\\', '/')})`;
        return `- ${link}${isType ? ' (type)' : ''}${sentence && `: ${sentence}`}`;
      });
      return `## ${name}${subpath.slice(1)}\n\n${lines.join('\n')}\n`;
    });
  const head =
    '<!-- Generated by `npm run api -w @forecourt/compat`. Do not edit. -->\n\n' +
    `# Public API of ${name}\n\n${count} exported names.\n`;
  return { path: join(root, 'api.md'), markdown: `${head}\n${sections.join('\n')}` };
}

/** Code examples in the comments of a module's exported names: name to code. */
export function examplesOf(specifier: string): Map<string, string> {
  const examples = new Map<string, string>();
  for (const { name, file } of publicNames(resolveModule(CONTRACTS, specifier))) {
    const statement = parse(file).statements.find(
      (one) => isExported(one) && declaredNames(one).some((declared) => declared.name === name),
    );
    const tag = statement && ts.getJSDocTags(statement).find(({ tagName }) => tagName.text === 'example');
    const code = /```tsx?\n([^]*?)```/.exec(ts.getTextOfJSDocComment(tag?.comment) ?? '')?.[1];
    if (code !== undefined) examples.set(name, code);
  }
  return examples;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of CONTRACT_PACKAGES) {
    if (!existsSync(join(CONTRACTS, folder))) continue;
    const { path, markdown } = createApiReport(folder);
    writeFileSync(path, markdown);
    process.stdout.write(`${relative(process.cwd(), path)}: ${/\d+ exported names/.exec(markdown)?.[0]}\n`);
  }
}
