import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What a remote's sources use of the contracts at run time. */
export interface UsedContracts {
  /** Shared module to the names imported from it, types excluded. */
  readonly exports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every property name that the sources read or destructure. */
  readonly properties: ReadonlySet<string>;
}

const isReleased = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$|(?:^|[/\\])(?:testing|scenarios)(?:[/\\]|\.tsx?$)/.test(path);

function collect(text: string, used: { exports: Map<string, Set<string>>; properties: Set<string> }): void {
  const file = ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const addName = (from: ts.Expression | undefined, name: string) => {
    if (!from || !ts.isStringLiteral(from)) return;
    const names = used.exports.get(from.text) ?? new Set();
    used.exports.set(from.text, names.add(name));
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const clause = statement.importClause;
      if (!clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
      if (clause.namedBindings && ts.isNamedImports(clause.namedBindings))
        for (const { isTypeOnly, propertyName, name } of clause.namedBindings.elements)
          if (!isTypeOnly) addName(statement.moduleSpecifier, (propertyName ?? name).text);
    } else if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) {
      if (statement.exportClause && ts.isNamedExports(statement.exportClause))
        for (const { isTypeOnly, propertyName, name } of statement.exportClause.elements)
          if (!isTypeOnly) addName(statement.moduleSpecifier, (propertyName ?? name).text);
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) used.properties.add(node.name.text);
    else if (ts.isBindingElement(node)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) used.properties.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Reads the sources of a release below `folder`, without tests and scenarios. */
export function usedContracts(folder: string): UsedContracts {
  const used = { exports: new Map<string, Set<string>>(), properties: new Set<string>() };
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (isReleased(entry)) collect(readFileSync(join(folder, entry), 'utf8'), used);
  return used;
}
