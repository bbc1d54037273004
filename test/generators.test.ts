import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addChangelogLine, addDialect, addPluginKind } from '../scripts/generate/insert-lines.ts';
import { cloneTree } from './support/clone-tree.ts';
import { runIn } from './support/packed-project.ts';
import { readText } from './support/repository.ts';
import type { Finished } from './support/run-node.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
const timeout = isFull ? 600_000 : 120_000;

const clone = cloneTree();
afterAll(() => {
  rmSync(clone, { recursive: true });
});

/** Runs a generator of the clone as `npm run new:…` does. */
const generate = (kind: 'format' | 'plugin', ...args: string[]): Promise<Finished> =>
  runIn(clone, process.execPath, [
    ...['--import', 'tsx', '--conditions=@holdfast/source'],
    ...[`scripts/new-${kind}.ts`, ...args],
  ]);

const runTool = (path: string, ...args: string[]): Promise<Finished> =>
  runIn(clone, process.execPath, [join('node_modules', path), ...args], { timeoutMs: timeout });

const FORMATS = 'packages/core/src/parse/formats';
const PLUGINS = 'packages/gateway/src/plugins/built-in';

// One after the other: what the last tests look at, the first ones have made.
describe('the generators', { timeout }, () => {
  it.each([
    ['format', [], 'expected the name of the format: npm run new:format -- acme-v2'],
    ['format', ['Acme Two'], '"Acme Two" cannot be the name of a format: expected lower-case'],
    ['format', ['qwen'], 'there is a format qwen already'],
    ['format', ['deepseek-section'], `there is ${FORMATS}/deepseek-section.ts already`],
    ['format', ['acme', '--open', '<tool_call>'], 'is an opening of qwen already'],
    ['format', ['acme', '--open', 'a b'], '--open: expected 3 to 60 characters without spaces'],
    ['plugin', ['../evil'], '"../evil" cannot be the name of a plugin'],
    ['plugin', ['secrets-masking'], 'there is a plugin secrets-masking already'],
    ['plugin', ['map-texts'], `there is ${PLUGINS}/map-texts.ts already`],
  ] as const)('refuse a %s %j', async (kind, args, message) => {
    const { code, stdout, stderr } = await generate(kind, ...args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  });

  it('make a format and a plugin', async () => {
    expect(await generate('format', 'acme-v1.1')).toMatchObject({ code: 0, stderr: '' });
    expect(await generate('plugin', 'label-results')).toMatchObject({ code: 0, stderr: '' });
    expect((await generate('format', 'acme-v1.1')).code).toBe(2);

    const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain('- Format [acme-v1.1](docs/formats/acme-v1.1.md).\n');
    expect(changelog).toContain('- Plugin [label-results](docs/plugins.md#label-results).\n');
  });

  it('make what passes its own tests', async () => {
    const { code, stdout } = await runTool(
      'vitest/vitest.mjs',
      ...['run', `${FORMATS}/acme-v1.1.test.ts`, `${PLUGINS}/label-results.test.ts`],
    );

    expect(code, stdout).toBe(0);
    expect(stdout).toContain('acme-v1.1.test.ts');
    expect(stdout).toContain('label-results.test.ts');
  }, 120_000);

  it.runIf(isFull)(
    'make what passes all tests of formats and plugins',
    async () => {
      const { code, stdout } = await runTool(
        'vitest/vitest.mjs',
        ...['run', 'test/formats.test.ts', 'test/corpus.test.ts', 'test/docs-plugins.test.ts'],
        ...['test/docs-comparison.test.ts', 'test/readme.test.ts'],
        'packages/gateway/src/demo-upstream/demo-models.test.ts',
        ...['test/docs-code.test.ts', 'test/import-law.test.ts'],
      );

      expect(code, stdout).toBe(0);
    },
    300_000,
  );

  it('make what Prettier would have written', async () => {
    const { code, stdout, stderr } = await runTool(
      'prettier/bin/prettier.cjs',
      ...['--check', `${FORMATS}/acme-v1.1*.ts`, `${FORMATS}/json-dialects.ts`],
      ...[`${PLUGINS}/label-results*.ts`, `${PLUGINS}/../built-in-kinds.ts`],
    );

    expect(code, stdout + stderr).toBe(0);
  });

  if (isFull) {
    it('make what lint and the type check pass', async () => {
      const made = [`${FORMATS}/acme-v1.1`, `${PLUGINS}/label-results`];
      const files = made.flatMap((path) => [`${path}.ts`, `${path}.test.ts`]);
      const lint = await runTool('eslint/bin/eslint.js', ...files);
      const types = await runTool('typescript/bin/tsc', '-p', 'tsconfig.json');
      const wrong = types.stdout
        .split('\n')
        .filter((line) => files.some((path) => line.startsWith(path)));

      expect(lint.code, lint.stdout).toBe(0);
      expect(wrong).toEqual([]);
    });
  }
});

describe('what the generators insert', () => {
  it('puts a dialect among the others, by name and by priority', () => {
    const before = readText(`${FORMATS}/json-dialects.ts`);
    const lines = addDialect(before, 'hermes-x', 66).split('\n');
    const at = lines.indexOf('  { parser: hermesX, priority: 66 },');

    expect(lines[at - 1]).toContain('priority: 66');
    expect(lines[at + 1]).toContain('priority: 65');
    expect(lines.indexOf("import { hermesX } from './hermes-x.ts';")).toBe(
      lines.findIndex((line) => line.includes("'./llama3-json.ts'")) - 1,
    );
  });

  it('puts a plugin behind the last', () => {
    const kinds = addPluginKind('const KINDS = {\n  a: {},\n};\n\nconst X = {\n};\n', 'b-c');
    expect(kinds).toBe(
      "const KINDS = {\n  a: {},\n  'b-c': {\n    load: async () => (await import('./built-in/b-c.ts')).bC,\n  },\n};\n\nconst X = {\n};\n",
    );
  });

  it('puts a line under what is not released yet', () => {
    const text = '# C\n\n## Unreleased\n\n### Added\n\n- One.\n\n### Fixed\n\n- Two.\n\n## 0.1.0\n';
    expect(addChangelogLine(text, 'New.')).toBe(text.replace('- One.\n', '- One.\n- New.\n'));
    expect(addChangelogLine('### Added\n\n- One.\n', 'New.')).toBe('### Added\n\n- One.\n- New.\n');
  });
});
