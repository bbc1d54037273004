import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';
import { readCopy, stagesOf } from './support/dockerfile.ts';
import type { Stage } from './support/dockerfile.ts';
import { runIn } from './support/packed-project.ts';
import { readText, root } from './support/repository.ts';
import { runScript } from './support/run-script.ts';
import { startGateway } from './support/start-gateway.ts';

interface Tools {
  readonly ok: boolean;
  readonly reason?: string;
  readonly modules: string;
}

interface Problem {
  readonly range: { readonly start: { readonly line: number } };
  readonly message: string;
}

const isFull = process.env['HOLDFAST_FULL'] === '1';
const tools = await runScript<Tools>('install-publishing-tools.mjs');
if (!tools.ok && process.env['CI'] === 'true')
  throw new Error(`the linters could not be installed:\n${tools.reason ?? ''}`);

const dockerfile = readText('Dockerfile');
const stages = stagesOf(dockerfile);
const last = stages.at(-1)!;
const keywords = last.instructions.map(({ keyword }) => keyword);

describe('the Dockerfile', () => {
  it.skipIf(!tools.ok)('has nothing that a linter of Dockerfiles finds', async () => {
    const module = pathToFileURL(join(tools.modules, 'dockerfile-utils', 'lib', 'main.js')).href;
    const { validate } = (await import(module)) as { validate: (text: string) => Problem[] };

    expect(
      validate(dockerfile).map(({ range, message }) => `${range.start.line + 1}: ${message}`),
    ).toEqual([]);
    expect(validate('FROM node\nRUNN x\n')).not.toEqual([]);
  });

  it('runs as somebody without rights, and says how it is', () => {
    const user = last.instructions.findLast(({ keyword }) => keyword === 'USER');

    expect(user?.rest).toBe('node');
    expect(keywords).toContain('HEALTHCHECK');
    expect(keywords.filter((keyword) => keyword === 'ADD')).toEqual([]);
    // Whatever is written at run time goes to a volume.
    expect(last.instructions.find(({ keyword }) => keyword === 'VOLUME')?.rest).toBe('["/state"]');
  });

  it('copies what there is, and what is sent to be built', () => {
    const sent = readText('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ keyword }) => keyword === 'COPY')
      .map(readCopy)
      .flatMap(({ stage, sources }) => (stage === undefined ? sources : []))
      .map((path) => path.replace(/\/$/, ''));

    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(
      copied.filter((path) => !sent.some((name) => path === name || path.startsWith(`${name}/`))),
    ).toEqual([]);
  });
});

if (isFull) {
  describe('what the Dockerfile says', () => {
    it('builds a gateway that starts', { timeout: 600_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
      try {
        for (const stage of stages) await runStage(stage, folder);
        const cli = join(folder, 'last', 'packages', 'gateway', 'bin', 'holdfast.js');
        const version = await runIn(folder, process.execPath, [cli, '--version']);
        expect(version).toMatchObject({ code: 0, stderr: '' });
        const child = spawn(process.execPath, [cli, 'start', '--port', '0', '--json'], {
          cwd: folder,
          env: { HOLDFAST_UPSTREAM: 'http://127.0.0.1:9/v1', HOLDFAST_STATE_DIR: folder },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [line] = (await once(child.stdout, 'data')) as [Buffer];
        const { url } = JSON.parse(line.toString()) as { readonly url: string };
        expect((await fetch(url)).headers.get('content-type')).toContain('text/html');
        child.kill();
        expect(await once(child, 'close')).toEqual([0, null]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}

/** Does in a folder what Docker would do in an image; the last stage has nothing to run but links and rights. */
async function runStage(
  { name = 'last', from, instructions }: Stage,
  folder: string,
): Promise<void> {
  const place = join(folder, name);
  mkdirSync(place);
  if (existsSync(join(folder, from))) cpSync(join(folder, from), place, copyOptions);
  for (const instruction of instructions) {
    if (instruction.keyword === 'RUN' && name !== 'last') {
      const run = await runIn(place, 'sh', ['-c', instruction.rest], { timeoutMs: 300_000 });
      if (run.code !== 0) throw new Error(`${instruction.rest}\n${run.stdout}${run.stderr}`);
    }
    if (instruction.keyword !== 'COPY') continue;
    const { stage, sources, target } = readCopy(instruction);
    for (const source of sources) {
      const at =
        stage === undefined ? join(root, source) : join(folder, stage, source.replace('/src', ''));
      // What ends with a slash is a folder whose files are copied; else the file goes into the target.
      cpSync(at, join(place, target, source.endsWith('/') ? '' : basename(source)), copyOptions);
    }
  }
}

const copyOptions = {
  recursive: true,
  verbatimSymlinks: true,
  filter: (path: string) =>
    !path.startsWith(root) || !/\/(?:node_modules|dist)(?:\/|$)|\.test\.ts$|\.case\.ts$/.test(path),
};

describe('docker/holdfast.yaml', () => {
  const load = (env: Record<string, string>) =>
    loadConfig(readText('docker/holdfast.yaml'), { file: 'holdfast.yaml', env });

  it('listens for others, with a token only', () => {
    expect(load({ HOLDFAST_TOKEN: 'a-token' })).toMatchObject({
      ok: true,
      config: { listen: { host: '0.0.0.0', port: 8787, hosts: ['holdfast'] }, token: 'a-token' },
    });
    expect(load({}).ok).toBe(false);
  });
});

describe('the healthcheck', () => {
  const check = join(root, 'docker', 'healthcheck.mjs');
  const run = (env: Record<string, string>) =>
    new Promise((resolve) => {
      spawn(process.execPath, [check], { env, stdio: 'inherit' }).on('close', resolve);
    });

  it('needs no token, and fails where no gateway answers', async () => {
    const upstreams = [{ url: 'http://127.0.0.1:9/v1' }];
    const gateway = await startGateway({ token: 'a-token', upstreams });
    const whileItRuns = await run({ HOLDFAST_URL: gateway.url });
    await gateway.close();

    expect([whileItRuns, await run({ HOLDFAST_URL: gateway.url })]).toEqual([0, 1]);
  });
});

describe('compose.yaml', () => {
  it.skipIf(!tools.ok)('fits the schema and the rules of a linter of Compose', async () => {
    const dclint = join(tools.modules, 'dclint', 'bin', 'dclint.cjs');
    const run = await runIn(root, process.execPath, [
      dclint,
      '--max-warnings',
      '0',
      'compose.yaml',
    ]);

    expect(run.code, run.stdout + run.stderr).toBe(0);
  });

  it('gives no service more than it needs, and needs a token', () => {
    const { services } = parse(readText('compose.yaml')) as ComposeFile;

    expect(Object.keys(services)).toEqual(['holdfast', 'redis']);
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(service.ports?.every((port) => port.startsWith('127.0.0.1:')) ?? true).toBe(true);
    }
    expect(services['holdfast']?.environment?.['HOLDFAST_TOKEN']).toMatch(/^\$\{HOLDFAST_TOKEN:\?/);
  });
});

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly ports?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
      }
    >
  >;
}
