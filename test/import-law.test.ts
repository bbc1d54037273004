import { describe, expect, it } from 'vitest';
import { importViolations } from './support/import-law.ts';
import { coreEntries, listFiles, readText } from './support/repository.ts';

const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/\.(?:test|case)\.ts$/.test(path);
const specifiers = coreEntries().map(({ specifier }) => specifier);

const imports = (path: string, ...named: string[]): string[] =>
  importViolations({ path, text: named.map((name) => `import { x } from '${name}';`).join('\n') }, [
    '@holdfast/core',
    '@holdfast/core/parse',
  ]);

const core = (path: string, ...named: string[]): string[] =>
  imports(`packages/core/src/${path}`, ...named);

describe('import law', () => {
  it.each(['packages/core/src', 'packages/gateway/src'])('holds in %s', (folder) => {
    const violations = listFiles(folder, isSource).flatMap((path) =>
      importViolations({ path, text: readText(path) }, specifiers),
    );

    expect(violations).toEqual([]);
  });

  it('lets each room use the vocabulary and itself', () => {
    expect(core('parse/stream.ts', '../types.ts', '../errors.ts', '../internal/clock.ts')).toEqual(
      [],
    );
    expect(core('parse/formats/hermes.ts', '../json/read.ts', './shared.ts')).toEqual([]);
    expect(core('internal/clock.ts', '../types.ts', './random.ts')).toEqual([]);
    expect(core('types.ts', './errors.ts')).toEqual([]);
  });

  it('lets call, adapters, testing and the index join the rooms', () => {
    for (const path of ['call/guard-tool.ts', 'adapters/openai.ts', 'testing/flaky-tool.ts']) {
      expect(core(path, '../parse/index.ts', '../guard/index.ts')).toEqual([]);
    }
    expect(core('index.ts', './parse/index.ts', './call/guard-tool.ts')).toEqual([]);
  });

  it('keeps the steps of the flow apart', () => {
    expect(core('parse/stream.ts', '../guard/retry.ts')).toEqual([
      "packages/core/src/parse/stream.ts imports '../guard/retry.ts': " +
        "'parse' may import only types, errors, internal, parse",
    ]);
    expect(core('advise/advisor.ts', '../check/names.ts', '../index.ts')).toHaveLength(2);
  });

  it('keeps the vocabulary below everything', () => {
    expect(core('types.ts', './internal/clock.ts')).toHaveLength(1);
    expect(core('errors.ts', './parse/limits.ts')).toHaveLength(1);
    expect(core('internal/clock.ts', '../hooks/index.ts')).toHaveLength(1);
  });

  it('refuses every package and every module of Node in core', () => {
    expect(core('parse/stream.ts', 'node:fs', 'fs', 'zod', '@holdfast/core/parse')).toHaveLength(4);
    expect(core('parse/stream.ts', '../../package.json')).toHaveLength(1);
  });

  it('refuses a room it was not told of', () => {
    expect(core('utils/strings.ts', '../types.ts')).toHaveLength(1);
    expect(core('call/guard-tool.ts', '../utils/strings.ts')).toHaveLength(1);
  });

  it('sees type imports, re-exports and dynamic imports', () => {
    const text = [
      "import type { A } from '../guard/a.ts';",
      "export { b } from '../guard/b.ts';",
      "const c = await import('../guard/c.ts');",
      "type D = import('../guard/d.ts').D;",
    ].join('\n');

    expect(importViolations({ path: 'packages/core/src/parse/x.ts', text }, [])).toHaveLength(4);
  });

  it('lets the gateway use core by its public names only', () => {
    const gateway = (...named: string[]): string[] =>
      imports('packages/gateway/src/cli/main.ts', ...named);

    expect(gateway('@holdfast/core', '@holdfast/core/parse', './help.ts', 'node:fs')).toEqual([]);
    expect(gateway('../../../core/src/index.ts')).toHaveLength(1);
    expect(gateway('@holdfast/core/src/index.ts', '@holdfast/core/internal')).toHaveLength(2);
  });
});
