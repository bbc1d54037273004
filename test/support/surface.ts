import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { rootCompilerOptions } from './compiler.ts';
import { coreEntries, root } from './repository.ts';

/** What users can name, as reviewed text: file name below test/surface to its contents. */
export function publicSurface(): ReadonlyMap<string, string> {
  const entries = coreEntries().filter(({ source }) => existsSync(join(root, source)));
  const program = ts.createProgram(
    entries.map(({ source }) => join(root, source)),
    rootCompilerOptions(),
  );
  const checker = program.getTypeChecker();

  const files = new Map<string, string>();
  files.set('entries.txt', textOf(coreEntries().map(({ specifier }) => specifier)));
  for (const { name, source } of entries) {
    const file = program.getSourceFile(join(root, source));
    const module = file && checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const lines = symbols.flatMap((symbol) =>
      kindsOf(symbol, checker).map((kind) => `${symbol.name} ${kind}`),
    );
    files.set(`${name.replaceAll('/', '-')}.txt`, textOf(lines));
  }
  return files;
}

const textOf = (lines: readonly string[]): string => [...lines].sort().join('\n') + '\n';

/** A name can be two things at once, such as a constant and the type of its values. */
function kindsOf(exported: ts.Symbol, checker: ts.TypeChecker): string[] {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const kinds: [ts.SymbolFlags, string][] = [
    [ts.SymbolFlags.Function, 'function'],
    [ts.SymbolFlags.Class, 'class'],
    [ts.SymbolFlags.Variable, 'const'],
    [ts.SymbolFlags.TypeAlias, 'type'],
    [ts.SymbolFlags.Module, 'namespace'],
  ];
  const found = kinds.filter(([flag]) => (symbol.flags & flag) !== 0).map(([, kind]) => kind);
  // A class is an interface as well to the compiler, but not to a reader.
  const isInterface = (symbol.flags & ts.SymbolFlags.Interface) !== 0;
  if (isInterface && !found.includes('class')) found.push('interface');
  return found.length > 0 ? found : ['unknown'];
}
