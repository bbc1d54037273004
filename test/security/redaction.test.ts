import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryIo } from '../../packages/gateway/src/cli/memory-io.case.ts';
import { run } from '../../packages/gateway/src/cli/run.ts';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { KEY_SHAPES } from '../support/key-shapes.ts';
import type { KeyShape } from '../support/key-shapes.ts';
import { needsPart } from '../support/needs-part.ts';
import { openBrowser } from '../support/open-browser.ts';
import { openPage } from '../support/open-page.ts';
import { RedisServer } from '../support/redis-server.ts';
import { runCli } from '../support/run-cli.ts';
import { errorAnswer } from '../support/scripted-answer.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';
import { until } from '../support/until.ts';

const redis = needsPart('redis-server');
const chromium = needsPart('chromium');
/** A browser takes seconds: without it the test reads the stream that the page of the dashboard is made of. */
const isBrowsed = process.env['HOLDFAST_FULL'] === '1' && !chromium.isMissing;

/** Where a key may end up. */
const PLACES = [
  'log',
  'trace',
  'history',
  'capture',
  'dashboard',
  'metrics',
  'errors',
  'hooks',
  'admin',
  'Redis',
  'status',
  'doctor',
].filter((place) => place !== 'Redis' || !redis.isMissing);

/** What the gateway's own API returns. */
const PATHS = [
  'status',
  'overview',
  'circuits',
  'requests?limit=500',
  'parsing',
  'tools',
  'failures?limit=500',
  'logs?limit=1000',
  'history?limit=1000',
];

const LOGIN = { type: 'function', function: { name: 'login', parameters: { type: 'object' } } };

/** The model and the tool of a shape: the key is a part of the name, the rest shows that the name arrived. */
const nameOf = ({ key }: KeyShape, at: number): string => `case-${at}/${key}`;
/** A text with the key, plain and after a line feed that is escaped. */
const textOf = ({ key }: KeyShape, at: number): string =>
  String.raw`case-${at}/${key} and "first line\n${key}"`;

describe('a key of each of sixty shapes', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redaction-'));
  const seen: Record<string, string> = {};
  let upstream: ScriptedUpstream;
  let server: RedisServer | undefined;
  let gateway: RunningGateway;

  beforeAll(async () => {
    server = redis.isMissing ? undefined : await RedisServer.start();
    upstream = await startScriptedUpstream(answerWithKeys);
    gateway = await startGateway({
      log: { level: 'debug' },
      traceDir: join(folder, 'trace'),
      ...(server !== undefined && { store: { url: server.url } }),
      observe: {
        capture: true,
        reveal: true,
        captureRequests: 500,
        historyDir: join(folder, 'history'),
      },
      proxy: { retry: { maxAttempts: 1 } },
      upstreams: [{ name: 'local', url: upstream.url, circuit: { consecutiveFailures: 1 } }],
    });
    const commands = server === undefined ? undefined : await monitor(server.port);
    const ids = await sendKeys();
    await look(ids);
    if (commands !== undefined) {
      await until(() => KEY_SHAPES.every((_, at) => commands.text().includes(`case-${at}/`)));
      seen['Redis'] = commands.text();
      commands.end();
    }
    await gateway.close();
    seen['log'] = gateway.log();
    seen['trace'] = textsIn(join(folder, 'trace'));
    seen['history'] = textsIn(join(folder, 'history'));
  }, 120_000);

  afterAll(async () => {
    await upstream.close();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  /** Sends every key through everything that takes texts of others. Resolves to the ids of the turns. */
  async function sendKeys(): Promise<readonly string[]> {
    const errors: string[] = [];
    const hooks: string[] = [];
    const ids = await Promise.all(
      KEY_SHAPES.map(async (shape, at) => {
        const [name, text] = [nameOf(shape, at), textOf(shape, at)];
        const turn = (content: string): object => ({
          model: name,
          tools: [LOGIN],
          messages: [{ role: 'user', content }],
        });
        const headers = { 'x-request-id': shape.key };
        const answered = await post('/v1/chat/completions', turn(text), headers);
        await answered.text();
        const failed = await post('/v1/chat/completions', turn(`fail ${text}`), headers);
        const unknown = await fetch(`${gateway.url}/unknown/${name}`);
        errors.push(`${await failed.text()}\n${await unknown.text()}`);
        const about = { request_id: `${at} ${shape.key}`, name };
        await post('/api/v1/hooks/tool_pre_invoke', { ...about, args: {} });
        const result = { content: [{ type: 'text', text: `Error: ${text}` }], isError: true };
        await post('/api/v1/hooks/tool_post_invoke', { ...about, result });
        const circuit = encodeURIComponent(`local case-${at}/***`);
        const reason = { reason: name.slice(0, 200), for_seconds: 60 };
        const isolated = await post(`/api/v1/circuits/${circuit}/isolate`, reason);
        expect(isolated.status).toBe(200);
        await post(`/api/v1/circuits/${circuit}/reset`, { note: name.slice(0, 200) });
        hooks.push(await failClaudeCode(shape, at));
        return answered.headers.get('x-request-id') ?? '';
      }),
    );
    seen['errors'] = errors.join('\n');
    seen['hooks'] = [...hooks, textsIn(join(folder, 'state'))].join('\n');
    return ids;
  }

  /** A tool of Claude Code that fails. Resolves to what the hook prints. */
  async function failClaudeCode(shape: KeyShape, at: number): Promise<string> {
    const payload = {
      session_id: `session ${at}`,
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_use_id: shape.key,
      tool_input: { command: 'cat missing.txt' },
      error: textOf(shape, at),
      is_interrupt: false,
    };
    const env = { HOLDFAST_STATE_DIR: join(folder, 'state') };
    const io = memoryIo({ stdin: JSON.stringify(payload), env });
    await run(['hook', 'claude-code'], io);
    return io.out() + io.err();
  }

  /** Reads all that a running gateway shows. */
  async function look(ids: readonly string[]): Promise<void> {
    const get = async (path: string): Promise<string> => (await fetch(gateway.url + path)).text();
    const all = async (paths: readonly string[]): Promise<string> =>
      (await Promise.all(paths.map(get))).join('\n');
    seen['metrics'] = await get('/metrics');
    seen['admin'] = await all(PATHS.map((path) => `/api/v1/${path}`));
    seen['capture'] = await all(ids.map((id) => `/api/v1/requests/${encodeURIComponent(id)}`));
    const [status, doctor] = await Promise.all([
      runCli(['status', '--json', '--url', gateway.url]),
      runCli(['doctor', '--json', '--upstream', upstream.url]),
      isBrowsed ? lookAtDashboard(ids[0] ?? '') : readEvents(),
    ]);
    seen['status'] = status.stdout + status.stderr;
    seen['doctor'] = doctor.stdout + doctor.stderr;
  }

  /** What the page of the dashboard follows. */
  async function readEvents(): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const stream = await fetch(`${gateway.url}/api/v1/events?after=0&logs=1`, { signal });
    let text = '';
    for await (const chunk of (stream.body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (KEY_SHAPES.every((_, at) => text.includes(`case-${at}/`))) break;
    }
    controller.abort();
    seen['dashboard'] = text;
  }

  async function lookAtDashboard(id: string): Promise<void> {
    const browser = await openBrowser();
    const page = await openPage(browser);
    const shown: string[] = [];
    for (const view of ['requests', `requests/${id}`, 'circuits', 'tools', 'parsing', 'overview']) {
      await page.goto(`${gateway.url}/#/${view}`);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('case-').first().waitFor();
      shown.push(await page.content());
    }
    await browser.close();
    seen['dashboard'] = shown.join('\n');
  }

  test.each(PLACES)('is not shown by %s', (place) => {
    const text = seen[place] ?? '';
    const arrived = KEY_SHAPES.filter((_, at) => text.includes(`case-${at}/`));
    expect(arrived.length, 'keys that arrived').toBe(KEY_SHAPES.length);
    const shown = KEY_SHAPES.filter(({ key }) => text.includes(key.slice(-12)));
    expect(shown.map(({ name }) => name)).toEqual([]);
  });
});

/** The upstream repeats what it received, as a model and as an error; its models are named by the keys. */
function answerWithKeys({ path, json }: { readonly path: string; readonly json: unknown }) {
  if (path.endsWith('/models'))
    return {
      body: JSON.stringify({ data: KEY_SHAPES.map((shape, at) => ({ id: nameOf(shape, at) })) }),
    };
  const { messages = [] } = json as { messages?: readonly { readonly content: string }[] };
  const said = messages.at(-1)?.content ?? '';
  if (said.startsWith('fail')) return errorAnswer(500, {}, said.slice('fail '.length));
  const call = { name: 'login', arguments: { note: said } };
  const unknown = { name: said, arguments: {} };
  const calls = [call, unknown].map((each) => `<tool_call>${JSON.stringify(each)}</tool_call>`);
  return { body: chatBodyOf(`${said} ${calls.join('\n')}`) };
}

/** What Redis is told from now on. */
async function monitor(port: number): Promise<{ text(): string; end(): void }> {
  const child = spawn('redis-cli', ['-p', String(port), 'monitor']);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await until(() => text.includes('OK'));
  return { text: () => text, end: () => void child.kill() };
}

/** The names and the contents of all files in a folder. */
function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}\n${readFileSync(path, 'utf8')}` : path;
    })
    .join('\n');
}
