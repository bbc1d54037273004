import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { readText, root } from './repository.ts';

export interface BuiltModule {
  readonly path: string;
  readonly text: string;
  /** What it imports that is not a file beside it: packages and `node:` modules. */
  readonly outside: readonly string[];
}

/** A built entry and everything it loads, following relative imports. */
export function builtModules(entry: string): BuiltModule[] {
  if (!existsSync(posix.join(root, entry))) {
    throw new Error(`${entry} is not there: run \`npm run build\` first`);
  }
  const modules = new Map<string, BuiltModule>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (modules.has(path)) continue;
    const text = readText(path);
    const specifiers = ts.preProcessFile(text, true, true).importedFiles.map((i) => i.fileName);
    const isBeside = (specifier: string): boolean => specifier.startsWith('.');
    modules.set(path, { path, text, outside: specifiers.filter((name) => !isBeside(name)) });
    for (const name of specifiers.filter(isBeside)) {
      waiting.push(posix.join(posix.dirname(path), name));
    }
  }
  return [...modules.values()];
}

/** `eval(…)`, `new Function(…)` and `Function(…)`: a page with a strict policy refuses them. */
export function codeFromText(module: Pick<BuiltModule, 'path' | 'text'>): string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(module.path, module.text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (
      (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      ['eval', 'Function'].includes(node.expression.text)
    ) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${module.path}:${line + 1} ${node.expression.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
