import { posix } from 'node:path';
import ts from 'typescript';

/** The vocabulary: what everything may import, and what imports nothing above itself. */
const vocabulary = ['types', 'errors', 'internal'];

/** The steps of the flow. They meet in `call`, never in each other. */
const steps = ['parse', 'check', 'guard', 'advise', 'hooks'];

/** What joins the steps, and so may import all of core. */
const joiners = ['call', 'adapters', 'index', 'testing'];

const mayImport: ReadonlyMap<string, readonly string[]> = new Map([
  ['types', ['errors']],
  ['errors', ['types']],
  ['internal', vocabulary],
  ...steps.map((step): [string, string[]] => [step, [...vocabulary, step]]),
  ...joiners.map((joiner): [string, string[]] => [joiner, [...vocabulary, ...steps, ...joiners]]),
]);

const coreSource = 'packages/core/src/';
const gatewaySource = 'packages/gateway/src/';

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** What is wrong with the imports of one file: one sentence per import, none when all is well. */
export function importViolations(file: SourceFile, coreSpecifiers: readonly string[]): string[] {
  return ts
    .preProcessFile(file.text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .flatMap((specifier) => {
      const problem = file.path.startsWith(coreSource)
        ? coreProblem(file.path, specifier)
        : gatewayProblem(file.path, specifier, coreSpecifiers);
      return problem === undefined ? [] : [`${file.path} imports '${specifier}': ${problem}`];
    });
}

function coreProblem(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return 'core runs where there is no Node';
  if (!isRelative(specifier)) return 'core has no dependencies, not even on its own name';

  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(coreSource)) return 'it is outside packages/core/src';

  const from = roomOf(path);
  const to = roomOf(target);
  const allowed = mayImport.get(from);
  if (allowed === undefined) return `the import law does not know '${from}'`;
  if (allowed.includes(to)) return undefined;
  return `'${from}' may import only ${allowed.join(', ')}`;
}

function gatewayProblem(
  path: string,
  specifier: string,
  coreSpecifiers: readonly string[],
): string | undefined {
  if (isRelative(specifier)) {
    const target = posix.join(posix.dirname(path), specifier);
    return target.startsWith(gatewaySource) || target === 'packages/gateway/package.json'
      ? undefined
      : 'other packages are imported by name';
  }
  if (!/^@holdfast\/core(?:\/|$)/.test(specifier) || coreSpecifiers.includes(specifier)) {
    return undefined;
  }
  return `core has only the entries ${coreSpecifiers.join(', ')}`;
}

const isRelative = (specifier: string): boolean => /^\.{0,2}\//.test(specifier);

/** The first name below src: `parse` for src/parse/json/read.ts, `types` for src/types.ts. */
const roomOf = (path: string): string =>
  path.slice(coreSource.length).split('/')[0]!.replace(/\.ts$/, '');
