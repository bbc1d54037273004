import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatStreamOf } from '../support/chat-stream-of.ts';
import { NEVER_OPENS } from '../support/never-opens.ts';
import { readToldStream } from '../support/read-told.ts';
import { SAMPLE_TOOLS } from '../support/sample-calls.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
const WANTED = isFull ? 10_000 : 1200;
/** So many come at once: what the system lets wait at a port is limited. */
const WAVE = 400;
/** Of the files a process may open, so many are left for other things. */
const SPARE_FILES = 1000;
/** Each stream is two connections, in the gateway and here. */
const FILES_OF_STREAM = 2;
const MOST_BYTES_OF_STREAM = 150_000;

/** A model server that says half of an answer, and the rest when it is told to. */
class Halting {
  readonly server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.on('end', () => this.#begin(JSON.parse(body) as { readonly model: string }, response));
  });
  readonly #waiting: (() => void)[] = [];

  get begun(): number {
    return this.#waiting.length;
  }

  goOn(): void {
    for (const rest of this.#waiting.splice(0)) rest();
  }

  #begin({ model }: { readonly model: string }, response: ServerResponse): void {
    const body = chatStreamOf(writtenBy(Number(model)), { cut: 7 });
    const middle = Math.floor(body.length / 2);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(body.slice(0, middle));
    this.#waiting.push(() => response.end(body.slice(middle)));
  }
}

const callOf = (number: number) => ({
  name: 'read_file',
  arguments: { path: `file ${number}`, lines: number },
});
const writtenBy = (number: number): string =>
  `Number ${number}: <tool_call>${JSON.stringify(callOf(number))}</tool_call>`;

describe('very many streams at once', { timeout: 600_000 }, () => {
  const upstream = new Halting();
  const agent = new Agent({ maxSockets: Infinity });
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream.server.listen(0, '127.0.0.1', 4096);
    await once(upstream.server, 'listening');
    const { port } = upstream.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/v1`;
    const patience = { firstByteTimeoutMs: 300_000, idleTimeoutMs: 300_000 };
    gateway = await startGateway({
      upstreams: [{ name: 'one', url, circuit: NEVER_OPENS, ...patience }],
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(async () => {
    agent.destroy();
    await gateway.close();
    upstream.server.closeAllConnections();
    upstream.server.close();
  }, 60_000);

  /** What a client reads of an answer. Rejects where the connection breaks. */
  function ask(number: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = request(
        `${gateway.url}/v1/chat/completions`,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.on('end', () => resolve(text)).on('error', reject);
        },
      );
      asked.on('error', reject);
      const messages = [{ role: 'user', content: 'Please look.' }];
      asked.end(
        JSON.stringify({ model: String(number), stream: true, messages, tools: SAMPLE_TOOLS }),
      );
    });
  }

  test('each get their own answer, for little memory, and leave nothing', async () => {
    const allowed = Math.min(mostFiles(process.pid), mostFiles(gateway.pid));
    const count = Math.min(WANTED, Math.floor((allowed - SPARE_FILES) / FILES_OF_STREAM));
    // The first ones take what is never given back.
    const first = Promise.all([ask(0), ask(1)]);
    await expect.poll(() => upstream.begun, { timeout: 60_000 }).toBe(2);
    upstream.goOn();
    await first;
    const before = heldBy(gateway.pid);

    // One that breaks is read as an answer that is wrong.
    const answers: Promise<string>[] = [];
    while (answers.length < count) {
      const wave = Math.min(WAVE, count - answers.length);
      for (let each = 0; each < wave; each++) answers.push(ask(answers.length).catch(String));
      await expect.poll(() => upstream.begun, { timeout: 60_000 }).toBe(answers.length);
    }
    const during = heldBy(gateway.pid);
    upstream.goOn();
    const told = await Promise.all(answers);

    const wrong = told.flatMap((text, number) => {
      const { text: said, calls, finish, error } = readToldStream('chat', text);
      const isRight =
        said === `Number ${number}: ` &&
        JSON.stringify(calls) === JSON.stringify([callOf(number)]) &&
        finish === 'tool_calls' &&
        error === undefined;
      return isRight ? [] : [{ number, text }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect((during.bytes - before.bytes) / count).toBeLessThan(MOST_BYTES_OF_STREAM);
    agent.destroy();
    await expect
      .poll(() => heldBy(gateway.pid).files, { timeout: 60_000 })
      .toBeLessThan(before.files + 50);
  });
});

/** How many files a process may open, after it was allowed as many as this user can allow. */
function mostFiles(pid: number): number {
  const limit = WANTED * FILES_OF_STREAM + SPARE_FILES;
  // Where there is no such program, or no right to more, there are fewer streams.
  spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${limit}`], { stdio: 'ignore' });
  if (process.platform !== 'linux') return SPARE_FILES + 500 * FILES_OF_STREAM;
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}

interface Held {
  readonly bytes: number;
  readonly files: number;
}

/** What a process holds, where that is told; nothing elsewhere. */
function heldBy(pid: number): Held {
  if (process.platform !== 'linux') return { bytes: 0, files: 0 };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
  return { bytes, files: readdirSync(`/proc/${pid}/fd`).length };
}
