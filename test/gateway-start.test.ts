import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { rawRequest, lines } from '../packages/gateway/src/http/raw-request.case.ts';
import { chatBodyOf } from './support/chat-stream-of.ts';
import { root } from './support/repository.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';

const holdfast = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PATIENCE = { timeout: 10_000 };

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child === undefined) return;
  const closed = once(child, 'close');
  child.kill();
  await closed;
  child = undefined;
});

/** Starts a gateway on a free port, and waits until it says where it listens. What it writes is in one text, as on a terminal. */
async function start(...args: string[]): Promise<{ url: string; printed: () => string }> {
  const shell = `exec "$0" "$@" 2>&1`;
  child = spawn('sh', ['-c', shell, process.execPath, holdfast, ...args, '--no-history'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const url = await vi.waitFor(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (found === undefined) throw new Error(`nothing yet: ${text}`);
    return found;
  }, PATIENCE);
  return { url, printed: () => text };
}

const askForTurn = (url: string, tools?: readonly object[]): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools }),
  });

describe.skipIf(process.platform === 'win32')('a gateway that starts', { timeout: 20_000 }, () => {
  test('without an upstream warns, and says what to do to clients', async () => {
    const { url, printed } = await start('proxy', '--port', '0');
    await vi.waitFor(() => expect(printed()).toContain('no upstream is configured'), PATIENCE);
    expect(printed()).toMatch(/^Holdfast listens on /);

    const turn = await askForTurn(url);
    expect([turn.status, await turn.text()]).toEqual([
      404,
      expect.stringContaining('no upstream is configured; expected --upstream <url>') as string,
    ]);
    const models = await fetch(`${url}/v1/models`);
    expect([models.status, await models.json()]).toMatchObject([200, { data: [] }]);
  });

  test('with a file that names nothing to run warns', async () => {
    writeFileSync(join(folder, 'empty.yaml'), 'listen: 127.0.0.1:0\n');
    const { printed } = await start('up', '--config', 'empty.yaml');
    await vi.waitFor(() => expect(printed()).toContain('no upstream is configured'), PATIENCE);
  });

  test('in front of an upstream that is not there warns', async () => {
    const { printed } = await start('proxy', '--port', '0', '--upstream', 'http://127.0.0.1:9/v1');
    await vi.waitFor(
      () => expect(printed()).toContain('at http://127.0.0.1:9/v1 refused the connection'),
      PATIENCE,
    );
    expect(printed()).toContain('"level":"warn"');
  });

  test('in front of an upstream that is there sends it no request and warns of nothing', async () => {
    const upstream = await startScriptedUpstream({ body: chatBodyOf('Hello.') });
    const { url, printed } = await start('proxy', '--port', '0', '--upstream', upstream.url);
    expect((await askForTurn(url)).status).toBe(200);

    expect(upstream.requests).toHaveLength(1);
    expect(printed()).not.toContain('"level":"warn"');
    await upstream.close();
  });

  test('prints its addresses before what it logs', async () => {
    writeFileSync(
      join(folder, 'servers.yaml'),
      'listen: 127.0.0.1:0\nlog: { level: debug }\nupstreams: [{ url: "http://127.0.0.1:9/v1" }]\n' +
        'mcp: { servers: { gone: { command: /no/such/program } } }\nobserve: { history: true }\n',
    );
    const { printed } = await start('up', '--config', 'servers.yaml');
    await vi.waitFor(() => expect(printed()).toContain('could not connect'), PATIENCE);

    const [head = ''] = printed().split('{"level"');
    expect(head).toMatch(/^Holdfast listens on http:\/\/127\.0\.0\.1:\d+\n {2}dashboard /);
    expect(head).toContain('\n  MCP server         gone\n');
  });

  test('on all addresses names them, and the names that it was given', async () => {
    const { url, printed } = await start(
      ...['proxy', '--port', '0', '--host', '0.0.0.0', '--token', 'a-token'],
      ...['--host-name', 'gateway.example', '--host-name', 'llm.example'],
    );
    const { port } = new URL(url);

    expect(printed()).toMatch(
      new RegExp(
        `^Holdfast listens on http://0\\.0\\.0\\.0:${port} \\(all addresses of this machine\\)\n`,
      ),
    );
    expect(printed()).toContain(`\n  other names        http://gateway.example:${port}`);
    expect(printed()).toContain(`http://llm.example:${port}`);
    expect(await statusFor(port, 'gateway.example')).toBe(200);
    expect(await statusFor(port, 'evil.example')).toBe(403);
  });

  test('takes the names of --host-name in holdfast mcp --listen too', async () => {
    const { url } = await start(
      ...['mcp', '--listen', '127.0.0.1:0', '--host-name', 'gateway.example'],
      ...['--config', servers()],
    );
    const { port } = new URL(url);

    expect(await statusFor(port, 'gateway.example')).toBe(200);
    expect(await statusFor(port, 'evil.example')).toBe(403);
  });

  test('with --capture shows what the model wrote beside what the client got', async () => {
    const written = `Well. <tool_call>{'name': 'look', 'arguments': {'place': 'Oslo'}}</tool_call>`;
    const upstream = await startScriptedUpstream({ body: chatBodyOf(written) });
    const { url } = await start('proxy', '--port', '0', '--capture', '--upstream', upstream.url);
    const parameters = { type: 'object', properties: { place: { type: 'string' } } };
    await askForTurn(url, [{ type: 'function', function: { name: 'look', parameters } }]);
    const { requests } = (await (await fetch(`${url}/api/v1/requests`)).json()) as {
      readonly requests: readonly { readonly id: string }[];
    };
    const request = await fetch(`${url}/api/v1/requests/${requests[0]!.id}`);

    expect(await request.json()).toMatchObject({
      capture: {
        raw: `Well. <tool_call>{'name': 'look', 'arguments': {'place': '***'}}</tool_call>`,
        told: [
          { kind: 'text', text: 'Well. ' },
          { kind: 'call', name: 'look', repairs: ['single-quotes'] },
        ],
      },
    });
    await upstream.close();
  });
});

function servers(): string {
  const file = join(folder, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { gone: { command: '/no/such/program' } } }));
  return file;
}

async function statusFor(port: string, name: string): Promise<number> {
  return (await rawRequest(Number(port), lines('GET /healthz HTTP/1.1', `Host: ${name}`))).status;
}
