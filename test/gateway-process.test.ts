import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCli } from './support/run-cli.ts';

/** Under way when the file changes, and when the gateway is told to stop. */
const STREAMS = 200;

/** For processes on a busy machine. */
const PATIENCE = { timeout: 20_000 };

interface Gateway {
  readonly child: ChildProcess;
  readonly url: string;
  readonly closed: Promise<[code: number | null, signal: string | null]>;
  /** All that it wrote. */
  readonly output: () => string;
}

async function startGateway(args: string[]): Promise<Gateway> {
  const child = startCli(args);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close') as Gateway['closed'];
  const url = await vi.waitFor(() => {
    const found = /listens on (http:\S+)/.exec(output)?.[1];
    if (found === undefined) throw new Error(`nothing printed yet: ${output}`);
    return found;
  }, PATIENCE);
  return { child, url, closed, output: () => output };
}

const QUESTION = JSON.stringify({
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }],
});

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: QUESTION,
  });

const chunk = (content: string, finish: string | null = null): string => {
  const choices = [{ index: 0, delta: { content }, finish_reason: finish }];
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
};

let folder: string;
let gateway: Gateway | undefined;
let answers: { request: IncomingMessage; response: ServerResponse }[];

/** Answers with a first piece; the rest is up to the test. */
const upstream = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk('One moment. '));
  answers.push({ request, response });
});
const upstreamUrl = (): string => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-process-'));
  answers = [];
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
});
afterEach(async () => {
  gateway?.child.kill('SIGKILL');
  gateway = undefined;
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  rmSync(folder, { recursive: true });
});

describe('a gateway that is told to stop', () => {
  it('lets a stream end, takes nothing new, and ends with 0', PATIENCE, async () => {
    gateway = await startGateway(['proxy', '--upstream', upstreamUrl(), '--port', '0']);
    const answer = await ask(gateway.url);
    gateway.child.kill('SIGTERM');
    await vi.waitFor(() => expect(gateway!.output()).toContain('stopping'), PATIENCE);
    await expect(ask(gateway.url)).rejects.toThrow();

    const { response } = answers[0]!;
    response.write(chunk('<tool_call>{"name":"now","arguments":{}}</tool_call>'));
    response.end(`${chunk('', 'stop')}data: [DONE]\n\n`);
    const text = await answer.text();

    expect(text).toContain('"name":"now","arguments":"{}"');
    expect(text).toContain('"finish_reason":"tool_calls"');
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(await gateway.closed).toEqual([0, null]);
  });

  it(
    'under load lets every stream end, over a new file too, and ends with 0',
    PATIENCE,
    async () => {
      const file = join(folder, 'holdfast.yaml');
      const write = (team: string): void =>
        writeFileSync(
          file,
          `listen: 127.0.0.1:0\nupstreams:\n  - url: ${upstreamUrl()}\n    headers: { x-team: ${team} }\n`,
        );
      const begun = async (count: number): Promise<readonly Response[]> => {
        const responses = Array.from({ length: count }, () => ask(gateway!.url));
        return Promise.all(responses);
      };
      write('one');
      gateway = await startGateway(['up', '--config', file]);
      const before = await begun(STREAMS / 2);
      write('two');
      await vi.waitFor(() => expect(gateway!.output()).toContain('configuration loaded'), PATIENCE);
      const after = await begun(STREAMS / 2);
      gateway.child.kill('SIGTERM');
      await vi.waitFor(() => expect(gateway!.output()).toContain('stopping'), PATIENCE);

      expect(answers).toHaveLength(STREAMS);
      const teams = answers.map(({ request }) => request.headers['x-team']);
      expect(teams.filter((team) => team === 'one')).toHaveLength(STREAMS / 2);
      for (const { response } of answers) response.end(`${chunk('Hi', 'stop')}data: [DONE]\n\n`);
      const texts = await Promise.all([...before, ...after].map((answer) => answer.text()));
      expect(texts.filter((text) => !text.trimEnd().endsWith('data: [DONE]'))).toEqual([]);
      expect(await gateway.closed).toEqual([0, null]);
    },
  );

  it('stops at once when it is told twice', PATIENCE, async () => {
    gateway = await startGateway(['proxy', '--upstream', upstreamUrl(), '--port', '0']);
    const answer = await ask(gateway.url);
    gateway.child.kill('SIGINT');
    await vi.waitFor(() => expect(gateway!.output()).toContain('stopping'), PATIENCE);
    gateway.child.kill('SIGINT');

    expect(await gateway.closed).toEqual([null, 'SIGINT']);
    await expect(answer.text()).rejects.toThrow();
  });
});

describe('a gateway whose file changes', () => {
  it('goes on with the new one, or with the old one if it is wrong', PATIENCE, async () => {
    const file = join(folder, 'holdfast.yaml');
    const write = (team: string, more = ''): void => {
      const head = `listen: 127.0.0.1:0\nupstreams:\n  - url: ${upstreamUrl()}\n`;
      writeFileSync(file, `${head}    headers: { x-team: ${team} }\n${more}`);
    };
    const teamAsked = async (): Promise<unknown> => {
      const controller = new AbortController();
      await fetch(`${gateway!.url}/v1/other`, { signal: controller.signal });
      controller.abort();
      return answers.at(-1)!.request.headers['x-team'];
    };
    write('one');
    gateway = await startGateway(['up', '--config', file]);
    expect(await teamAsked()).toBe('one');

    write('two');
    await vi.waitFor(async () => expect(await teamAsked()).toBe('two'), PATIENCE);

    write('three', 'tokn: x\n');
    const problem = `${file}:5:1: tokn: unknown key; did you mean token?`;
    await vi.waitFor(() => expect(gateway!.output()).toContain(problem), PATIENCE);
    expect(await teamAsked()).toBe('two');
  });
});

describe('secrets of a gateway', () => {
  it('go to the upstream, and into no output and no trace', PATIENCE, async () => {
    const traces = join(folder, 'traces');
    const args = [
      '--port',
      '0',
      '--log',
      'debug',
      '--trace-dir',
      traces,
      '--token',
      'CANARY-token',
    ];
    const withKey = upstreamUrl().replace('//', '//CANARY-key@');
    gateway = await startGateway(['proxy', '--upstream', withKey, ...args]);
    const answering = await ask(gateway.url, { authorization: 'Bearer CANARY-token' });
    answers[0]!.response.end(`${chunk('Done.', 'stop')}data: [DONE]\n\n`);
    expect(await answering.text()).toContain('Done.');
    expect((await ask(gateway.url, { authorization: 'Bearer CANARY-wrong' })).status).toBe(401);
    expect(answers[0]!.request.headers.authorization).toBe('Bearer CANARY-key');
    gateway.child.kill('SIGTERM');
    expect(await gateway.closed).toEqual([0, null]);

    const [trace = '', ...more] = readdirSync(traces);
    expect(more).toEqual([]);
    expect(gateway.output() + readFileSync(join(traces, trace), 'utf8')).not.toContain('CANARY');
  });
});
