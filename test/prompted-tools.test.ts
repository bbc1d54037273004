import { RENDER_FORMATS } from '@holdfast/core/parse';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installClients, startClientWorker } from './support/client-worker.ts';
import type { ClientWorker } from './support/client-worker.ts';
import {
  NO_TOOLS,
  promptedModel,
  TASK_CALLS,
  TASK_DONE,
  TASK_TOOLS,
} from './support/prompted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const MODES = ['prompt', 'auto'] as const;
/** One of each family of clients, and of streams and whole answers. */
const CLIENTS = [
  'openai stream',
  'openai runTools',
  'openai responses stream',
  'anthropic stream',
  'anthropic create',
  'ai generateText, openai-compatible',
  'ai streamText, anthropic',
] as const;

const installed = await installClients();
if (!installed.ok && process.env['CI'] === 'true')
  throw new Error(`the clients could not be installed:\n${String(installed.reason)}`);

let upstream: ScriptedUpstream;
let gateway: RunningGateway;
let asked = 0;

beforeAll(async () => {
  upstream = await startScriptedUpstream(promptedModel);
  const url = upstream.url;
  const told = MODES.flatMap((toolMode) =>
    RENDER_FORMATS.map((toolFormat) => ({
      name: `${toolMode}-${toolFormat}`,
      url,
      models: [`${toolMode}/${toolFormat}/*`],
      toolMode,
      toolFormat,
    })),
  );
  gateway = await startGateway({
    upstreams: [...told, { name: 'by-name', url }],
    log: { level: 'warn' },
  });
}, 60_000);

afterAll(async () => {
  await Promise.all([upstream.close(), gateway.close()]);
});

beforeEach(() => {
  asked = upstream.requests.length;
});

/** The bodies of the requests of this test that had something of tools in them. */
const withTools = (): readonly object[] =>
  upstream.requests
    .slice(asked)
    .map(({ json }) => json as object)
    .filter((body) => 'tools' in body);

interface Completion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string;
  }[];
}

/** Lets a model do its task over plain HTTP, and tells what it called and what it said at last. */
async function runTask(
  model: string,
): Promise<{ readonly calls: object[]; readonly said: string }> {
  const tools = TASK_TOOLS.map((tool) => ({ type: 'function', function: tool }));
  const messages: object[] = [{ role: 'user', content: 'Sum up my notes.' }];
  const calls: object[] = [];
  for (let turn = 0; turn <= TASK_CALLS.length; turn++) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, tools }),
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
    const { message, finish_reason: finish } = (JSON.parse(body) as Completion).choices[0]!;
    const [call] = message.tool_calls ?? [];
    if (call === undefined) return { calls, said: message.content ?? '' };
    expect(finish).toBe('tool_calls');
    const { name, arguments: json } = call.function;
    calls.push({ name, arguments: JSON.parse(json) as object });
    const content = `result ${calls.length} of ${name}`;
    messages.push(message, { role: 'tool', tool_call_id: call.id, content });
  }
  throw new Error(`the model calls on: ${JSON.stringify(calls)}`);
}

const DONE = { calls: TASK_CALLS, said: TASK_DONE };

describe.each(RENDER_FORMATS)('a model that never sees a tools field, told in %s', (format) => {
  test('does a task of three steps', async () => {
    expect(await runTask(`prompt/${format}/m`)).toEqual(DONE);
    expect(withTools()).toEqual([]);
    expect(upstream.requests.length - asked).toBe(4);
  });

  test('does it in auto mode too, after one refusal that nobody sees', async () => {
    expect(await runTask(`auto/${format}/m`)).toEqual(DONE);
    expect(withTools()).toHaveLength(1);
    expect(upstream.requests.length - asked).toBe(5);
  });
});

test('a model is told in the dialect that its name says', async () => {
  expect(await runTask('mistral-small')).toEqual(DONE);
  const { json } = upstream.requests.at(-1)!;
  expect(JSON.stringify(json)).toContain('[TOOL_CALLS]');
});

test('a model whose server leaves the tools out is told of them from the second turn on', async () => {
  expect(await runTask('ignores-them')).toEqual({ calls: [], said: NO_TOOLS });
  expect(await runTask('ignores-them')).toEqual(DONE);
  expect(withTools()).toHaveLength(1);
});

test('the status tells which models are prompted, and why', async () => {
  await runTask('gemma3:4b');
  const response = await fetch(`${gateway.url}/api/v1/status`);
  expect(await response.text()).toContain('"model":"gemma3:4b","mode":"prompt"');
});

describe.skipIf(!installed.ok)('real clients', { timeout: 60_000 }, () => {
  let worker: ClientWorker;

  beforeAll(async () => {
    worker = await startClientWorker(installed);
  }, 60_000);

  afterAll(() => worker.close());

  test.for(CLIENTS)('%s lets a model without tools do its task', async (client) => {
    for (const mode of MODES) {
      for (const format of ['qwen', 'qwen3-coder', 'llama3-json', 'harmony']) {
        const { calls, turns, error } = await worker.run({
          client,
          url: gateway.url,
          model: `${mode}/${format}/${client}`,
          prompt: 'Sum up my notes.',
          tools: TASK_TOOLS,
        });
        expect(error).toBeUndefined();
        expect(calls).toEqual(TASK_CALLS);
        expect(turns.at(-1)?.text).toBe(TASK_DONE);
      }
    }
  });
});
