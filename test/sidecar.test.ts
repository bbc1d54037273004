import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { JsonObject, JsonValue } from '@holdfast/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../packages/gateway/src/config/config-defaults.ts';
import { memoryLogger } from '../packages/gateway/src/log/memory-logger.case.ts';
import { startGateway } from '../packages/gateway/src/start-gateway.ts';
import type { Gateway } from '../packages/gateway/src/start-gateway.ts';
import { readPage } from './support/markdown.ts';
import { readText } from './support/repository.ts';

const run = promisify(execFile);
const { fences } = readPage(readText('docs/sidecar.md'));

/** The commands of the page with what it says they print, where it does. */
const COMMANDS = fences.flatMap(({ language, body, line }, index) => {
  const next = fences[index + 1];
  if (language !== 'sh') return [];
  const printed = next?.language === 'json' ? next.body.join('\n') : undefined;
  return [{ line, command: body.join('\n'), printed }];
});
const AGENT = fences.find(({ language }) => language === 'python')!.body.join('\n');

/** Why a program cannot be run here; undefined where it can. */
async function missing(program: string): Promise<string | undefined> {
  const found = await run(program, ['--version']).then(
    () => undefined,
    (error: unknown) => `${program} cannot be run: ${String(error).split('\n')[0]}`,
  );
  if (found !== undefined && process.env['CI'] === 'true') throw new Error(found);
  return found;
}

/** Ids and times differ from run to run. */
function same(value: JsonValue): JsonValue {
  const json = JSON.stringify(value)
    .replaceAll(/"call_\w{24}"/g, '"call_…"')
    .replaceAll(/("request_id":)"[^"]*"/g, '$1"…"')
    .replaceAll(/("\w*(?:open_until|retry_after_seconds)":)[1-9][\d.]*/g, '$11')
    .replaceAll(/("Retry-After":"|\(in )\d+/g, '$11')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-16T12:00:00.000Z');
  return JSON.parse(json) as JsonValue;
}

async function startIt(): Promise<Gateway> {
  const { upstream, ...defaults } = CONFIG_DEFAULTS;
  return startGateway(
    {
      ...defaults,
      listen: { host: '127.0.0.1', port: 0 },
      upstreams: [{ ...upstream, name: 'none', url: 'http://127.0.0.1:9/v1' }],
    },
    { log: memoryLogger() },
  );
}

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startIt();
});
afterAll(() => gateway.close());

const here = (code: string): string => code.replaceAll('http://127.0.0.1:8787', gateway.url);

const noCurl = await missing('curl');
describe.skipIf(noCurl !== undefined)(`docs/sidecar.md ${noCurl ?? ''}`, () => {
  // In order, as a reader goes: what comes later builds on what came before.
  test.each(COMMANDS)('the command in line $line prints what the page says', async (each) => {
    const { stdout } = await run('sh', ['-c', here(each.command)]);
    const printed = JSON.parse(stdout) as JsonObject;
    if (each.printed !== undefined)
      expect(same(printed)).toEqual(same(JSON.parse(each.printed) as JsonObject));
    expect(JSON.stringify(printed)).not.toContain('internal');
  });

  test('every path of the API has a command', async () => {
    const answer = await fetch(`${gateway.url}/api/v1/openapi.json`);
    const { paths } = (await answer.json()) as { readonly paths: JsonObject };
    // What is for operators has a page of its own.
    const ofAgents = Object.keys(paths).filter((path) => /hooks|\/parse$|classify/.test(path));
    expect(ofAgents.length).toBeGreaterThan(5);
    for (const path of ofAgents)
      expect(COMMANDS.some(({ command }) => command.includes(`${path} `))).toBe(true);
  });

  test('a circuit that is open is told by status and header too', async () => {
    const body = JSON.stringify({ request_id: 'turn-8-call-2', name: 'payment_api', args: {} });
    const answer = await fetch(`${gateway.url}/api/v1/hooks/tool_pre_invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50);
  });
});

const noPython = await missing('python3');
describe.skipIf(noPython !== undefined)(`the agent in Python ${noPython ?? ''}`, () => {
  const CALL =
    '<tool_call>{"name": "Bash", "arguments": {"command": "cat no-such-notes.md",}}</tool_call>';
  const asked: JsonObject[] = [];
  let model: Server;
  beforeAll(async () => {
    const answers = [CALL, CALL, CALL, 'There are no notes.'];
    model = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push(JSON.parse(body) as JsonObject);
        const content = answers[asked.length - 1] ?? '';
        response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
      });
    });
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    model.closeAllConnections();
    model.close();
  });

  test('runs what the model wrote as text, and tells it that it goes round in circles', async () => {
    const { port } = model.address() as AddressInfo;
    const program = here(AGENT).replace('127.0.0.1:11434', `127.0.0.1:${port}`);
    const { stdout } = await run('python3', ['-c', program]);
    expect(stdout).toBe('There are no notes.\n');
    const { messages } = asked.at(-1) as { messages: readonly { readonly content: string }[] };
    const told = messages.map(({ content }) => content);
    expect(told[2]).toMatch(/^cat: .*No such file or directory\s*$/);
    expect(told[4]).toContain('Tool guidance');
  });
});
