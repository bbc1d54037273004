import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { formatHost, rootCompilerOptions } from './support/compiler.ts';
import { installedCli, runIn, startIn, THIS_NODE } from './support/packed-project.ts';
import type { PackedProject, Runtime } from './support/packed-project.ts';
import { coreEntries, readText } from './support/repository.ts';
import { runScript } from './support/run-script.ts';

interface Installed {
  readonly ok: boolean;
  readonly reason?: string;
  readonly modules: string;
  readonly runtimes: readonly Runtime[];
}

const isFull = process.env['HOLDFAST_FULL'] === '1';
const timeout = 60_000;

const packed = await runScript<PackedProject>('install-packed.mjs');
const tools = await runScript<Installed>('install-publishing-tools.mjs');
const others = isFull ? await runScript<Installed>('install-runtimes.mjs') : undefined;
const runtimes = [THIS_NODE, ...(others?.runtimes ?? [])];

const problem = [packed, tools, ...(others === undefined ? [] : [others])].find(({ ok }) => !ok);
if (problem !== undefined && process.env['CI'] === 'true')
  throw new Error(`the packages could not be installed:\n${problem.reason ?? ''}`);

afterAll(() => {
  rmSync(packed.folder, { recursive: true, force: true });
});

const why = problem === undefined ? '' : ' (npm could not install them)';

describe.skipIf(problem !== undefined)(`the packages as they are published${why}`, () => {
  const quickStart = join(packed.project, 'quick-start.mjs');
  const source = readText('examples/quick-start/main.ts');

  it.each(runtimes)('run the quick start on $name', { timeout }, async ({ program, args }) => {
    writeFileSync(quickStart, ts.transpile(source, { target: ts.ScriptTarget.ES2023 }));
    const { code, stdout, stderr } = await runIn(packed.project, program, [...args, quickStart]);
    const printed = [...source.matchAll(/\/\/ → (.*)/g)].map(([, line]) => line);

    expect({ code, stderr, said: inOneStyle(stdout) }).toEqual({
      code: 0,
      stderr: '',
      said: inOneStyle(printed.join('\n')),
    });
  });

  it('have types that a strict project takes', { timeout }, () => {
    const file = join(packed.project, 'quick-start.ts');
    const imports = coreEntries().map(({ specifier }) => `export type {} from '${specifier}';\n`);
    writeFileSync(file, imports.join('') + source);
    const { customConditions: _, ...options } = rootCompilerOptions();
    const program = ts.createProgram([file], {
      ...options,
      skipLibCheck: false,
      types: [],
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      noEmit: true,
    });

    expect(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), formatHost)).toBe('');
  });

  it('bring a program that npx finds', { timeout }, async () => {
    const help = await runIn(packed.project, 'npx', ['holdfast', '--help']);

    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Usage: holdfast <command> [options]');
  });

  const nodes = runtimes.filter(({ name }) => /node/i.test(name));

  it.each(nodes)('read calls on $name', { timeout }, async ({ program }) => {
    const cli = installedCli(packed.project);
    const answer = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
    const { code, stdout } = await runIn(packed.project, program, [cli, 'parse'], {
      stdin: answer,
    });

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ calls: [{ name: 'now', format: 'qwen' }] });
  });

  it.each(nodes)('run the gateway with its page on $name', { timeout }, async ({ program }) => {
    const args = [installedCli(packed.project), 'start', '--port', '0', '--no-history', '--json'];
    const child = startIn(packed.project, program, args);
    const closed = once(child, 'close');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { readonly url: string };
    const page = await (await fetch(url)).text();
    const script = / src="([^"]+)"/.exec(page)?.[1] ?? '';
    const loaded = await fetch(new URL(script, url));
    const ready = await fetch(new URL('/readyz', url));
    child.kill('SIGTERM');

    expect({ script: loaded.status, ready: ready.status }).toEqual({ script: 200, ready: 200 });
    expect(loaded.headers.get('content-type')).toContain('javascript');
    expect(await closed).toEqual([0, null]);
  });

  it('say which package a store needs, and where to install it', { timeout }, async () => {
    const cli = installedCli(packed.project);
    const args = [cli, 'proxy', '--port', '0', '--store', 'redis://127.0.0.1:1', '--no-history'];
    const { code, stdout, stderr } = await runIn(packed.project, process.execPath, args);

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'holdfast: store: expected the package @redis/client beside holdfast, which is not installed; ' +
        `install it with: npm install --prefix ${packed.project} @redis/client\n`,
    });
  });

  describe.each(packed.packages)('packages/$name', ({ name, tarball, files }) => {
    it('is as publint wants it', { timeout }, async () => {
      const publint = join(tools.modules, 'publint', 'src', 'cli.js');
      const run = await runIn(packed.project, process.execPath, [publint, tarball, '--strict']);

      expect(run).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('All good!') as string,
      });
    });

    it('has types that resolve from ES modules and bundlers', { timeout }, async () => {
      const attw = join(tools.modules, '@arethetypeswrong', 'cli', 'dist', 'index.js');
      const args = [attw, tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'];
      const run = await runIn(packed.project, process.execPath, args);

      expect(run.code, run.stdout).toBe(0);
    });

    it('holds what its manifest names, its licence and a README, and no test', () => {
      const manifest = JSON.parse(readText(`packages/${name}/package.json`)) as Manifest;
      const named = Object.values(manifest.exports).flatMap((target) =>
        typeof target === 'string' ? [target] : Object.values(target),
      );
      const missing = [
        ...named,
        ...Object.values(manifest.bin ?? {}),
        'README.md',
        'LICENSE',
      ].filter((path) => !files.includes(path.replace('./', '')));

      expect(missing).toEqual([]);
      expect(files.filter((path) => /\.(?:test|case)\.|__|\.tsbuildinfo/.test(path))).toEqual([]);
      expect(readText(`packages/${name}/LICENSE`)).toBe(readText('LICENSE'));
      expect(manifest.keywords.length).toBeGreaterThan(5);
      expect(manifest).toMatchObject({
        description: expect.any(String) as string,
        license: 'Apache-2.0',
        type: 'module',
        sideEffects: expect.anything() as unknown,
        engines: { node: expect.any(String) as string },
      });
    });
  });
});

/** Runtimes print the same value with other quotes and line breaks. */
function inOneStyle(printed: string): string {
  return printed.trim().replaceAll('"', "'").replace(/\s+/g, ' ').replaceAll(', }', ' }');
}

interface Manifest {
  readonly keywords: readonly string[];
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
}

describe('the README of core', () => {
  it('shows the quick start that is run', () => {
    const shown = /```ts\n(.*?)```/s.exec(readText('packages/core/README.md'))?.[1];
    expect(shown).toBe(readText('examples/quick-start/main.ts'));
  });
});
