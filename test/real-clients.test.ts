import { parseToolCalls, renderToolCall } from '@holdfast/core/parse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { installClients, startClientWorker } from './support/client-worker.ts';
import type { ClientOutcome, ClientTool, ClientWorker } from './support/client-worker.ts';
import { messagesDefects } from './support/messages-defects.ts';
import { corpusCases, renderedCases, sampleCases } from './support/model-cases.ts';
import type { ModelCase } from './support/model-cases.ts';
import { NEVER_OPENS } from './support/never-opens.ts';
import { nativeDefects } from './support/native-defects.ts';
import type { NativeDefect } from './support/native-defects.ts';
import { responsesDefects } from './support/responses-defects.ts';
import {
  messageItem,
  reasoningItem,
  responsesBodyOf,
  responsesEvents,
  responsesStreamOf,
} from './support/responses-stream-of.ts';
import { SAMPLE_TOOLS, sampleCall } from './support/sample-calls.ts';
import { scriptedModel, textAnswer } from './support/scripted-model.ts';
import type { ModelAnswer, Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const OPENAI = { calls: 'tool_calls', stop: 'stop', length: 'length' };
const ANTHROPIC = { calls: 'tool_use', stop: 'end_turn', length: 'max_tokens' };
const RESPONSES = { calls: 'completed', stop: 'completed', length: 'incomplete' };
const AI_SDK = { calls: 'tool-calls', stop: 'stop', length: 'length' };

/** A case that a client saw differently. */
interface Difference {
  readonly label: string;
  readonly seen: ClientOutcome;
  readonly wanted: object;
}

interface Client {
  readonly client: string;
  readonly protocol: Protocol;
  readonly streams: boolean;
  /** Its words for how a turn ends. */
  readonly finish: typeof OPENAI;
}

const chat = (client: string, streams: boolean, finish = OPENAI): Client => ({
  client,
  protocol: 'chat',
  streams,
  finish,
});
const messages = (client: string, streams: boolean, finish = ANTHROPIC): Client => ({
  ...chat(client, streams, finish),
  protocol: 'messages',
});

const responses = (client: string, streams: boolean, finish = RESPONSES): Client => ({
  ...chat(client, streams, finish),
  protocol: 'responses',
});

const CLIENTS: readonly Client[] = [
  chat('openai stream', true),
  chat('openai create', false),
  chat('openai runTools', false),
  chat('openai runTools, streamed', true),
  responses('openai responses stream', true),
  responses('openai responses create', false),
  responses('openai responses create, streamed', true),
  messages('anthropic stream', true),
  messages('anthropic create', false),
  messages('anthropic toolRunner', false),
  messages('anthropic toolRunner, streamed', true),
  chat('ai generateText, openai-compatible', false, AI_SDK),
  chat('ai streamText, openai-compatible', true, AI_SDK),
  messages('ai generateText, anthropic', false, AI_SDK),
  messages('ai streamText, anthropic', true, AI_SDK),
  responses('ai generateText, openai', false, AI_SDK),
  responses('ai streamText, openai', true, AI_SDK),
];

/** A tool in a namespace, one that takes a text, and a plain one. */
const KINDS: readonly ClientTool[] = [
  {
    name: 'read_file',
    namespace: 'files',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  { name: 'run_sql', isFreeText: true, description: 'Runs a query.' },
  { name: 'now', description: 'Tells the time.', parameters: { type: 'object', properties: {} } },
];
const SQL = { input: 'select "size"\nfrom files -- größe' };
const KINDS_WRITTEN = renderToolCall(
  [
    { name: 'files__read_file', arguments: { path: 'notes.md' } },
    { name: 'run_sql', arguments: SQL },
    { name: 'now', arguments: {} },
  ],
  'qwen',
);
const KINDS_CALLED = [
  { name: 'files.read_file', arguments: { path: 'notes.md' } },
  { name: 'run_sql', arguments: SQL },
  { name: 'now', arguments: {} },
];

const REASONING = 'The notes will say it.';

/** A call with the reasoning before it, as upstreams tell it. */
function reasoned(protocol: 'chat' | 'responses'): ModelAnswer {
  const { text } = sampleCall('qwen');
  if (protocol === 'chat') {
    const options = { reasoning: REASONING };
    return { stream: chatStreamOf(text, options), body: chatBodyOf(text, options) };
  }
  const items = [reasoningItem(REASONING), messageItem(text)];
  return { stream: responsesStreamOf(responsesEvents(items)), body: responsesBodyOf(items) };
}

/** Characters in an event of a stream, and bytes that are sent at once. */
const CUTS = [
  { text: 1, bytes: 'whole' },
  { text: 3, bytes: 'whole' },
  { text: undefined, bytes: 'whole' },
  { text: undefined, bytes: 3 },
  { text: undefined, bytes: 1 },
] as const;
type TextCut = (typeof CUTS)[number];

const isFull = process.env['HOLDFAST_FULL'] === '1';
const WHOLE: TextCut = CUTS[2];

const installed = await installClients();
if (!installed.ok && process.env['CI'] === 'true')
  throw new Error(`the clients could not be installed:\n${String(installed.reason)}`);
const why = installed.ok ? '' : ` (cannot be installed: ${firstLine(installed)})`;

describe.skipIf(!installed.ok)(`real clients through the proxy${why}`, { timeout: 180_000 }, () => {
  const answers = new Map<string, ModelAnswer>();
  const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;
  let eager: RunningGateway;
  let worker: ClientWorker;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(scriptedModel((model) => answers.get(model)!));
    const { url } = upstream;
    const circuit = NEVER_OPENS;
    gateway = await startGateway({
      upstreams: [
        { name: 'messages', url, protocols: ['messages'], models: ['messages/*'], circuit },
        { name: 'responses', url, protocols: ['responses'], models: ['responses/*'], circuit },
        { name: 'chat', url, protocols: ['chat'], circuit },
      ],
      // Nothing is asked again: each answer is looked at.
      proxy: { retry: { maxAttempts: 1 } },
      log: { level: 'warn' },
    });
    eager = await startGateway({
      upstreams: [{ name: 'chat', url, circuit }],
      proxy: { eager: true, retry: { maxAttempts: 1 } },
      log: { level: 'warn' },
    });
    worker = await startClientWorker(installed);
  }, 60_000);

  afterAll(async () => {
    await Promise.all([upstream.close(), gateway.close(), eager.close(), worker.close()]);
  });

  /** A conversation of a client with a model whose first answer is this one. */
  async function converse(
    { client }: Client,
    upstreamProtocol: Protocol,
    answer: ModelAnswer,
    offered: readonly ClientTool[] = tools,
    { url } = gateway,
  ): Promise<ClientOutcome> {
    const model = `${upstreamProtocol}/${answers.size}`;
    answers.set(model, answer);
    const prompt = 'Please look.';
    const { turns, ...seen } = await worker.run({ client, url, model, prompt, tools: offered });
    // Some clients tell reasoning too, of which texts of the corpus have some.
    return { turns: turns.map(({ text, finish }) => ({ text, finish })), ...seen };
  }

  async function seeCase(
    client: Client,
    upstreamProtocol: Protocol,
    { name, written, tools: offered, calls }: ModelCase,
    { text: characters, bytes }: TextCut,
    asked = gateway,
  ): Promise<Difference | undefined> {
    const answer = { ...textAnswer(upstreamProtocol, written, characters), cut: bytes };
    const seen = await converse(client, upstreamProtocol, answer, offered, asked);
    const wanted = { turns: turnsOf(client, visibleText(written, offered), calls), calls };
    const label = `${name}, text by ${String(characters)}, bytes by ${bytes}`;
    return differs(seen, wanted) ? { label, seen, wanted } : undefined;
  }

  const samples = sampleCases();
  const others = [...renderedCases(), ...corpusCases(isFull ? 20 : 1)];

  test.for(CLIENTS)(
    '$client runs what every dialect asks for, however it is cut',
    async (client) => {
      const cuts = client.streams ? CUTS : CUTS.filter(({ text }) => text === undefined);
      // Where time is short, the dialects take turns with the ways of cutting.
      const some = (at: number): readonly TextCut[] =>
        isFull ? cuts : cuts.filter((_, cut) => (cut + at) % cuts.length === 0);
      const jobs = [
        ...samples.flatMap((each, at) => some(at).map((cut) => seeCase(client, 'chat', each, cut))),
        ...others.map((each, at) => seeCase(client, 'chat', each, cuts[at % cuts.length]!)),
      ];
      expect((await Promise.all(jobs)).filter(isThere)).toEqual([]);
    },
  );

  const streaming = CLIENTS.filter(({ streams }) => streams);

  test.for(streaming)('$client runs them when fragments are told early', async (client) => {
    const see = (each: ModelCase, at: number): ReturnType<typeof seeCase> =>
      seeCase(client, 'chat', each, CUTS[at % CUTS.length]!, eager);
    expect((await Promise.all(samples.map(see))).filter(isThere)).toEqual([]);
    // What turns out to be no call, or another, was told already: it must not run.
    const differing = (await Promise.all(others.map(see))).filter(isThere);
    expect(differing.filter((each) => each?.seen.calls.length !== 0)).toEqual([]);
    expect(differing.filter((each) => each?.seen.error === undefined)).toEqual([]);
    expect(differing.length).toBeLessThan(others.length / 20);
  });

  const inPlace = CLIENTS.filter(({ protocol }) => protocol !== 'chat');

  test.for(inPlace)('$client runs them from an upstream of its own protocol', async (client) => {
    const jobs = [...samples, ...others].map((each, at) =>
      seeCase(client, client.protocol, each, client.streams ? CUTS[at % CUTS.length]! : WHOLE),
    );
    expect((await Promise.all(jobs)).filter(isThere)).toEqual([]);
  });

  const ofResponses = CLIENTS.filter(({ protocol }) => protocol === 'responses').flatMap((client) =>
    (['chat', 'responses'] as const).map((upstreamProtocol) => ({
      ...client,
      upstreamProtocol,
      name: client.client,
    })),
  );

  test.for(ofResponses)(
    '$name gets calls of tools of every kind under their own names, from $upstreamProtocol',
    async (client) => {
      const answer = textAnswer(client.upstreamProtocol, KINDS_WRITTEN, 5);
      const seen = await converse(client, client.upstreamProtocol, answer, KINDS);

      expect(seen).toEqual({ turns: turnsOf(client, '', KINDS_CALLED), calls: KINDS_CALLED });
    },
  );

  test.for(ofResponses)(
    '$name is shown reasoning and sends it back, from $upstreamProtocol',
    async ({ client, upstreamProtocol }) => {
      const model = `${upstreamProtocol}/${answers.size}`;
      answers.set(model, reasoned(upstreamProtocol));
      const { url } = gateway;
      const seen = await worker.run({ client, url, model, prompt: 'Please look.', tools });

      expect(seen.turns[0]).toMatchObject({ reasoning: REASONING });
      expect(seen.turns[1]).toMatchObject({ text: 'It says: result 1 of read_file' });
    },
  );

  test.for([true, false])('the ai SDK goes on where store is %s', async (store) => {
    const model = `chat/${answers.size}`;
    answers.set(model, textAnswer('chat', `Let me look. ${sampleCall('qwen').text}`));
    const { url } = gateway;
    const job = { client: 'ai streamText, openai', url, model, prompt: 'Please look.', tools };
    const seen = await worker.run({ ...job, store });

    expect(seen.turns.map(({ text }) => text)).toEqual([
      'Let me look. ',
      'It says: result 1 of read_file',
    ]);
  });

  async function seeDefect(
    client: Client,
    upstreamProtocol: Protocol,
    defect: NativeDefect,
  ): Promise<unknown> {
    const body = client.streams ? '' : defect.body;
    if (body === undefined) return undefined;
    const answer = { stream: defect.stream, body };
    const seen = await converse(client, upstreamProtocol, answer);
    // A call that was told whole before the error may have run.
    const ran = seen.calls.length === 0 ? [] : defect.calls;
    const isClean = seen.error !== undefined && isTyped(seen.error) && !differs(seen.calls, ran);
    if (defect.ends === 'error')
      return isClean ? undefined : { defect: defect.name, seen, wanted: 'a typed error' };
    // The SDK makes an error of its own of an answer that is too long for its tool loop.
    if (defect.ends === 'length' && isClean) return undefined;
    const wanted =
      defect.ends === 'tool-calls'
        ? { turns: turnsOf(client, '', defect.calls), calls: defect.calls }
        : { finish: client.finish[defect.ends], calls: [] };
    const told =
      'turns' in wanted ? seen : { ...seen, finish: seen.turns[0]?.finish, turns: undefined };
    return differs(told, wanted) ? { defect: defect.name, seen, wanted } : undefined;
  }

  test.for(CLIENTS)(
    '$client gets a right call or a clean error of every defect',
    async (client) => {
      const jobs = nativeDefects.map((defect) => seeDefect(client, 'chat', defect));
      expect((await Promise.all(jobs)).filter(isThere)).toEqual([]);
    },
  );

  test.for(inPlace)('$client does so in its own protocol', async (client) => {
    const { protocol } = client;
    const defects = protocol === 'responses' ? responsesDefects : messagesDefects;
    const jobs = defects.map((defect) => seeDefect(client, protocol, defect));
    expect((await Promise.all(jobs)).filter(isThere)).toEqual([]);
  });
});

/** The turns of a conversation: the model calls, and then quotes what the tools said. */
function turnsOf(
  { finish }: Client,
  text: string,
  calls: ModelCase['calls'],
): ClientOutcome['turns'] {
  const results = calls.map(({ name }, at) => `result ${at + 1} of ${name}`);
  return [
    { text, finish: finish.calls },
    { text: `It says: ${results.join(', ')}`, finish: finish.stop },
  ];
}

/** The text of an answer without blank text beside calls, which would be a block that servers refuse. */
function visibleText(written: string, tools: ModelCase['tools']): string {
  const texts = [''];
  for (const { type, raw } of parseToolCalls(written, { tools }).segments) {
    if (type === 'text') texts.push((texts.pop() ?? '') + raw);
    else if (type !== 'markup') texts.push('');
  }
  return texts.filter((text) => text.trim() !== '').join('');
}

/** As JSON has no undefined, what is compared is JSON. */
const differs = (seen: object, wanted: object): boolean =>
  JSON.stringify(sorted(seen)) !== JSON.stringify(sorted(wanted));

/** Keys in order: the arguments of a call may be told in another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** An error that a program can tell from others: more than `Error`, or the text the upstream said. */
const isTyped = ({ classes }: NonNullable<ClientOutcome['error']>): boolean =>
  classes.some((name) => /API|AISDKError|AnthropicError|OpenAIError/.test(name));

function firstLine({ reason = '' }: { readonly reason?: string }): string {
  return reason.trim().split('\n', 1)[0]!;
}

const isThere = (each: unknown): boolean => each !== undefined;
