import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatStreamOf } from './support/chat-stream-of.ts';
import { needsPart } from './support/needs-part.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const prlimit = needsPart('prlimit');

/** As many files as a process may open. */
function limitFiles(pid: number, count: number | 'as many as are open'): void {
  const open = new Set(readdirSync(`/proc/${pid}/fd`));
  let limit = 0;
  while (typeof count === 'number' ? limit < count : open.has(String(limit))) limit++;
  spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}

describe.skipIf(prlimit.isMissing)(`a gateway that may open no more files${prlimit.why}`, () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream({ body: chatStreamOf('Here.') });
    gateway = await startGateway({
      upstreams: [{ name: 'one', url: upstream.url }],
      proxy: { retry: { baseDelayMs: 1, maxDelayMs: 1 } },
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(async () => {
    agent.destroy();
    await Promise.all([upstream.close(), gateway.close()]);
  });

  /** Over one connection that is kept, as the gateway can take no other one. */
  function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const method = body === undefined ? 'GET' : 'POST';
      const asked = request(gateway.url + path, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  test('says so itself, and does not count it against the upstream', async () => {
    const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi.' }] };
    const circuits = async (): Promise<{ state: string; failures: number }[]> => {
      const { text } = await ask('/api/v1/status');
      return (JSON.parse(text) as { proxy: { circuits: never[] } }).proxy.circuits;
    };
    await ask('/api/v1/status');
    limitFiles(gateway.pid, 'as many as are open');
    for (let turn = 0; turn < 10; turn++) {
      const { status, text } = await ask('/v1/chat/completions', body);
      expect([status, text]).toEqual([503, expect.stringContaining('EMFILE')]);
    }
    expect(await ask('/v1/embeddings', { input: 'x' })).toMatchObject({ status: 503 });
    for (const circuit of await circuits())
      expect(circuit).toMatchObject({ state: 'closed', failures: 0 });

    limitFiles(gateway.pid, 1024);
    expect(await ask('/v1/chat/completions', body)).toMatchObject({ status: 200 });
  });
});
