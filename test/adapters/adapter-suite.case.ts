import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eachAtOnce } from '../support/each-at-once.ts';
import { corpusCases, renderedCases, sampleCases } from '../support/model-cases.ts';
import type { ModelCase } from '../support/model-cases.ts';
import type { NativeDefect } from '../support/native-defects.ts';
import { SAMPLE_TOOLS } from '../support/sample-calls.ts';
import { scriptedModel, textAnswer } from '../support/scripted-model.ts';
import type { ModelAnswer, Protocol } from '../support/scripted-model.ts';
import type { Cut } from '../support/scripted-answer.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { Conversation } from './conversation.ts';
import type { Job, Seen } from './conversation.ts';

/** A way to use an SDK that runs tools until the model is done. */
type Client = readonly [
  name: string,
  run: (job: Job, conversation: Conversation) => Promise<void>,
  streams: boolean,
];

export interface AdapterSuite {
  readonly clients: readonly Client[];
  readonly protocol: Protocol;
  /** The SDK's words for how a turn ends. */
  readonly finish: { readonly calls: string; readonly stop: string; readonly length: string };
  /** What servers get wrong in calls that they tell themselves. */
  readonly defects: readonly NativeDefect[];
  /** Defects that the SDK itself refuses or misreads, before any adapter can see them, by name. */
  readonly refused?: readonly string[];
  /** Whether the SDK asks the model again where a call broke off, and makes no error of it. */
  readonly asksAgain?: boolean;
}

/** Characters in an event of a stream, and bytes that are sent at once. */
interface TextCut {
  readonly text: number | undefined;
  readonly bytes: Cut;
}
const WHOLE: TextCut = { text: undefined, bytes: 'whole' };
const BY_TEXT: readonly TextCut[] = [
  { text: 1, bytes: 'whole' },
  { text: 3, bytes: 'whole' },
  WHOLE,
];
const BY_BYTES: readonly TextCut[] = [
  { text: undefined, bytes: 1 },
  { text: undefined, bytes: 3 },
];
const FEW = ['qwen', 'qwen3-coder', 'llama3-json', 'deepseek-v3.1', 'pythonic'].map(
  (dialect) => `sample ${dialect}`,
);

const isFull = process.env['HOLDFAST_FULL'] === '1';

/** What holds for every SDK with its adapter, in front of a server that reads no calls itself. */
export function describeAdapter(name: string, suite: AdapterSuite): void {
  const { clients, protocol, finish, defects, refused = [], asksAgain = false } = suite;
  const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);

  describe(name, () => {
    const answers = new Map<string, ModelAnswer>();
    let upstream: ScriptedUpstream;

    beforeAll(async () => {
      const model = scriptedModel((name) => answers.get(name)!);
      // A connection that is closed while it is used again would look like a server that died.
      const headers = { connection: 'close' };
      upstream = await startScriptedUpstream(async (...request) => ({
        ...(typeof model === 'function' ? await model(...request) : model),
        headers,
      }));
    });

    afterAll(() => upstream.close());

    async function converse(
      [, run]: Client,
      answer: ModelAnswer,
      offered: Job['tools'] = tools,
    ): Promise<Seen> {
      const model = `model ${answers.size}`;
      answers.set(model, answer);
      const conversation = new Conversation();
      try {
        await run({ url: upstream.origin, model, tools: offered }, conversation);
      } catch (error) {
        conversation.fail(error);
      }
      return conversation.seen;
    }

    function turnsOf(text: string, calls: ModelCase['calls']): Seen['turns'] {
      const results = calls.map(({ name: tool }, at) => `result ${at + 1} of ${tool}`);
      return [
        { text, finish: finish.calls },
        { text: `It says: ${results.join(', ')}`, finish: finish.stop },
      ];
    }

    async function seeCase(client: Client, each: ModelCase, cut: TextCut): Promise<unknown> {
      const answer = { ...textAnswer(protocol, each.written, cut.text), cut: cut.bytes };
      const seen = await converse(client, answer, each.tools);
      const wanted = { turns: turnsOf(each.text, each.calls), calls: each.calls };
      const label = `${each.name}, text by ${String(cut.text)}, bytes by ${cut.bytes}`;
      return differs(seen, wanted) ? { label, seen, wanted } : undefined;
    }

    const samples = sampleCases();
    const others = isFull ? [...renderedCases(), ...corpusCases(20)] : [];

    async function seeAll(client: Client, cases: readonly ModelCase[], cuts: readonly TextCut[]) {
      const jobs = cases.flatMap((each, at) =>
        // Where time is short, the dialects take turns with the ways of cutting.
        (isFull ? cuts : [cuts[at % cuts.length]!]).map((cut) => ({ each, cut })),
      );
      return seenWrongly(jobs, ({ each, cut }) => seeCase(client, each, cut));
    }

    test.for(clients)('%s runs what every dialect asks for, however it is cut', async (client) => {
      const cuts = client[2] ? BY_TEXT : [WHOLE];
      expect(await seeAll(client, [...samples, ...others], cuts)).toEqual([]);
    });

    const streaming = clients.filter(([, , streams]) => streams);
    const few = samples.filter(({ name: sample }) => FEW.includes(sample));

    test.for(isFull ? streaming : streaming.slice(0, 1))(
      '%s runs them when bytes come one by one, or three by three',
      async (client) => {
        for (const cut of BY_BYTES)
          expect(await seeAll(client, isFull ? samples : few, [cut])).toEqual([]);
      },
    );

    async function seeDefect(client: Client, defect: NativeDefect): Promise<unknown> {
      const body = client[2] ? '' : defect.body;
      if (body === undefined || refused.includes(defect.name)) return undefined;
      const seen = await converse(client, { stream: defect.stream, body });
      // A call that was told whole before the error may have run.
      const ran = seen.calls.length === 0 ? [] : defect.calls;
      const isClean = seen.error !== undefined && isTyped(seen.error) && !differs(seen.calls, ran);
      if (defect.ends === 'error')
        return isClean || (asksAgain && !differs(seen.calls, ran))
          ? undefined
          : { defect: defect.name, seen, wanted: 'a typed error' };
      // Some SDKs make an error of their own of an answer that is too long for their loop.
      if (defect.ends === 'length' && isClean) return undefined;
      const wanted =
        defect.ends === 'tool-calls'
          ? { turns: turnsOf('', defect.calls), calls: defect.calls }
          : { finish: finish[defect.ends], calls: [] };
      const told = 'turns' in wanted ? seen : { calls: seen.calls, finish: seen.turns[0]?.finish };
      return differs(told, wanted) ? { defect: defect.name, seen, wanted } : undefined;
    }

    test.for(clients)('%s gets a right call or a clean error of every defect', async (client) => {
      expect(await seenWrongly(defects, (defect) => seeDefect(client, defect))).toEqual([]);
    });
  });
}

/** What was seen differently, of many that are looked at side by side. */
async function seenWrongly<Each>(
  all: readonly Each[],
  see: (each: Each) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  await eachAtOnce(all.length, async (at) => {
    const difference = await see(all[at]!);
    if (difference !== undefined) wrong.push(difference);
  });
  return wrong;
}

/** As JSON has no undefined, what is compared is JSON. */
export const differs = (seen: unknown, wanted: unknown): boolean =>
  JSON.stringify(sorted(seen)) !== JSON.stringify(sorted(wanted));

/** Keys in order: the arguments of a call may be told in another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** An error that a program can tell from others: more than `Error`. */
const isTyped = (classes: readonly string[]): boolean =>
  classes.some((name) =>
    /API|AISDKError|AnthropicError|OpenAIError|HoldfastError|MiddlewareError|said by/.test(name),
  );
