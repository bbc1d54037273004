import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './support/repository.ts';

interface Started {
  readonly child: ChildProcess;
  /** All that it printed before the line that is waited for, and that line. */
  readonly printed: string;
}

/** Starts a script of the repository as `npm start` does, and waits until it has printed its last line. */
async function start(cwd: string): Promise<Started> {
  const { HOLDFAST_UPSTREAM: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts', 'start.mjs'), 'start'], {
    cwd,
    env: { ...env, HOLDFAST_LOG: 'warn', npm_command: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  return new Promise((resolve, reject) => {
    // The pipe stays open: a program that nobody listens to any more would end by itself.
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes('Ctrl-C stops.')) resolve({ child, printed });
    });
    child.on('exit', () => reject(new Error(`it ended before it was ready: ${printed}`)));
  });
}

/** Runs a line in a shell, as somebody does who pasted it. */
async function paste(line: string): Promise<string> {
  const shell = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  await once(shell, 'close');
  return printed;
}

/** Runs a line until it has printed something, and ends it with all that it started. */
async function pasteUntilPrinted(line: string): Promise<string> {
  const shell = spawn('sh', ['-c', line], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let failed = '';
  shell.stderr.setEncoding('utf8').on('data', (chunk: string) => (failed += chunk));
  const closed = once(shell, 'close');
  const printed = once(shell.stdout.setEncoding('utf8'), 'data');
  const first = await Promise.race([printed, closed.then(() => [`nothing: ${failed}`])]);
  if (shell.exitCode === null) process.kill(-shell.pid!, 'SIGKILL');
  await closed;
  return String(first[0]);
}

async function stop({ child }: Started): Promise<readonly unknown[]> {
  const closed = once(child, 'exit');
  child.kill('SIGINT');
  return closed;
}

describe('npm start, into a pipe and with nothing configured', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-start-'));
  let first: Started;
  beforeAll(async () => {
    first = await start(folder);
  }, 120_000);
  afterAll(() => {
    first.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('prints a curl that gets a tool call, where the model itself says text', async () => {
    const curl = /^curl .*$/m.exec(first.printed)?.[0] ?? '';
    const gateway = /OpenAI clients +(\S+)/.exec(first.printed)?.[1] ?? '';
    const model = /the model itself +(\S+)/.exec(first.printed)?.[1] ?? '';

    expect(JSON.parse(await paste(curl))).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
          },
        },
      ],
    });
    expect(JSON.parse(await paste(curl.replace(gateway, model)))).not.toHaveProperty(
      'choices.0.message.tool_calls',
    );
  });

  it('prints its addresses first, and what Claude Code needs', () => {
    const origin = /Anthropic clients +(\S+)/.exec(first.printed)?.[1] ?? '';

    expect(first.printed).toMatch(/^Holdfast listens on http:\S+\n {2}dashboard {10}http:/);
    expect(first.printed).toContain(`\nANTHROPIC_BASE_URL=${origin} `);
  });

  it('prints a program for the SDK of OpenAI that gets a tool call', async () => {
    const program = /^node --input-type=module -e '[^']*'$/m.exec(first.printed)?.[0] ?? '';

    expect(await paste(program)).toContain("function: { name: 'get_weather'");
  });

  it('prints commands that work when they are pasted', async () => {
    const commands = [...first.printed.matchAll(/^(?:npx holdfast|curl \S+ \S+$).*/gm)].map(String);
    const bin = join(root, 'node_modules', '.bin', 'holdfast');
    // One shows that npx finds the program, which takes it half a second each time.
    const lines = commands.map((line, at) => (at === 0 ? line : line.replace('npx holdfast', bin)));
    const [status, tail, logs, models, proxy] = await Promise.all(lines.map(pasteUntilPrinted));

    expect(commands).toHaveLength(5);
    expect(status).toContain('"version"');
    expect(tail).toMatch(/\S/);
    expect(tail).not.toContain('nothing: ');
    expect(logs).toMatch(/^\d\d:\d\d:\d\d\.\d{3} /);
    expect(JSON.parse(models ?? '')).toHaveProperty('data.0.id', 'demo');
    expect(proxy).toMatch(/^Holdfast listens on http:/);
  });

  it('takes the next port for a second one, and both end with 0 at Ctrl-C', async () => {
    const second = await start(folder);
    const addresses = [first, second].map(
      ({ printed }) => /OpenAI clients +(\S+)/.exec(printed)?.[1],
    );

    expect(new Set(addresses).size).toBe(2);
    expect(await stop(second)).toEqual([0, null]);
    expect(await stop(first)).toEqual([0, null]);
  });
});
