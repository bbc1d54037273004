import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What can carry a public name. */
export type NamedDeclaration =
  | ts.ClassDeclaration
  | ts.FunctionDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableDeclaration;

export interface ExportedName {
  readonly name: string;
  /** Several where a function has overloads, or a constant and a type share the name. */
  readonly declarations: readonly NamedDeclaration[];
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  parsed.set(file, source);
  return source;
}

/**
 * The names that a module exports, with where they are declared. By syntax alone, which takes a tenth of the time of a
 * type check: entries name all they export, and every export of core has its type in writing.
 */
export function exportedNames(entry: string): readonly ExportedName[] {
  const found = parse(entry).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return [];
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) {
      throw new Error(`${entry}: expected names in ${statement.getText()}`);
    }
    const from = moduleOf(entry, moduleSpecifier);
    return exportClause.elements.map(({ name, propertyName }) => ({
      name: name.text,
      declarations: declarationsOf(from, (propertyName ?? name).text),
    }));
  });
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function moduleOf(file: string, specifier: ts.Expression | undefined): string {
  if (specifier === undefined) return file;
  if (!ts.isStringLiteral(specifier)) throw new Error(`${file}: expected the name of a module`);
  return join(dirname(file), specifier.text);
}

function declarationsOf(file: string, name: string): readonly NamedDeclaration[] {
  const source = parse(file);
  const here = source.statements.flatMap(namedIn).filter((one) => one.name?.getText() === name);
  if (here.length > 0) return here;
  const elsewhere = reExport(source, name);
  if (elsewhere === undefined) throw new Error(`${file} does not declare ${name}`);
  return declarationsOf(elsewhere.file, elsewhere.name);
}

/** Where a name comes from that a module only passes on. */
function reExport(source: ts.SourceFile, name: string): { file: string; name: string } | undefined {
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) continue;
    if (!ts.isNamedExports(statement.exportClause)) continue;
    const element = statement.exportClause.elements.find((one) => one.name.text === name);
    if (element === undefined) continue;
    const file = moduleOf(source.fileName, statement.moduleSpecifier);
    return { file, name: (element.propertyName ?? element.name).text };
  }
  return undefined;
}

function namedIn(statement: ts.Statement): readonly NamedDeclaration[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
  const isNamed =
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed ? [statement] : [];
}
