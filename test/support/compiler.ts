import { join } from 'node:path';
import ts from 'typescript';
import { root } from './repository.ts';

/** The root tsconfig.json, as the compiler understands it. */
export function rootCompilerOptions(): ts.CompilerOptions {
  const file = join(root, 'tsconfig.json');
  const read = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  const parsed = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  // An empty folder is no fault of the options.
  const errors = parsed.errors.filter(({ code }) => code !== 18003);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, formatHost));
  return parsed.options;
}

export const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};
