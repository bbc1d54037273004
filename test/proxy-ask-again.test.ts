import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import { SAMPLE_TOOLS } from './support/sample-calls.ts';
import { errorAnswer } from './support/scripted-answer.ts';
import type { ScriptedAnswer } from './support/scripted-answer.ts';
import { textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);
const write = (args: object): string =>
  `I look.<tool_call>${JSON.stringify({ name: 'read_file', arguments: args })}</tool_call>`;
/** It has no `path`, which is required. */
const UNFIT = { lines: 3 };
const FIT = { path: 'notes.md', lines: 3 };

type Said = string | ScriptedAnswer;

const protocols: readonly Protocol[] = ['chat', 'messages', 'responses'];
const cases = protocols.flatMap((protocol) =>
  (['own', 'chat'] as const).flatMap((target) =>
    [true, false].map((stream) => ({ protocol, target, stream })),
  ),
);

describe('a call that does not fit', { timeout: 60_000 }, () => {
  const scripts = new Map<string, readonly Said[]>();
  const requests = new Map<string, RecordedRequest[]>();
  let upstream: ScriptedUpstream;
  let asking: RunningGateway;
  let forwarding: RunningGateway;
  let models = 0;

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { model, stream } = request.json as {
        readonly model: string;
        readonly stream?: boolean;
      };
      const before = requests.get(model) ?? [];
      requests.set(model, [...before, request]);
      const said = scripts.get(model)![before.length] ?? errorAnswer(500);
      if (typeof said !== 'string') return said;
      const answer = textAnswer(protocolOf(request.path), said);
      return { body: stream === true ? answer.stream : answer.body };
    });
    const upstreams = [
      { name: 'own', url: upstream.url, models: ['own-*'], protocols },
      { name: 'chat', url: upstream.url },
    ];
    const log = { level: 'error' };
    [asking, forwarding] = await Promise.all([
      startGateway({
        upstreams,
        log,
        proxy: { onInvalid: 'ask-again', retry: { maxAttempts: 1 } },
      }),
      startGateway({ upstreams, log }),
    ]);
  }, 60_000);

  afterAll(() => Promise.all([upstream.close(), asking.close(), forwarding.close()]));

  /** What a client is told when the model answers like this, one after the other. */
  async function ask(
    gateway: RunningGateway,
    { protocol, target, stream }: (typeof cases)[number],
    ...said: readonly Said[]
  ): Promise<{ readonly told: ToldTurn; readonly rounds: readonly RecordedRequest[] }> {
    const model = `${target}-${models++}`;
    scripts.set(model, said);
    const told = await askGateway(gateway.url, { protocol, model, tools, stream });
    return { told, rounds: requests.get(model)! };
  }

  const argumentsOf = ({ told }: { readonly told: ToldTurn }): readonly object[] =>
    told.calls.map((call) => call.arguments);

  describe.each(cases)(
    'told to $protocol by an upstream that speaks $target, stream $stream',
    (one) => {
      test('is asked for again, and the client sees only what fits', async () => {
        const turn = await ask(asking, one, write(UNFIT), write(FIT));
        expect(argumentsOf(turn)).toEqual([FIT]);
        expect([turn.told.text, turn.rounds.length]).toEqual(['I look.', 2]);
        expect(turn.told.isDone).toBe(true);
        if (!one.stream) expect(turn.told.headers.get('x-holdfast-asked-again')).toBe('1');
        // The model is told which argument is missing, behind its own call.
        const again = turn.rounds[1]!.body;
        expect(again).toContain('path');
        expect(again).toContain('Send the call again, corrected.');
        expect(again.length).toBeGreaterThan(turn.rounds[0]!.body.length);
      });

      test('is forwarded when it comes again: there is no third round', async () => {
        const turn = await ask(asking, one, write(UNFIT), write({ lines: 4 }), write(FIT));
        expect(argumentsOf(turn)).toEqual([{ lines: 4 }]);
        expect(turn.rounds).toHaveLength(2);
      });

      test('is forwarded when asking again fails', async () => {
        const turn = await ask(asking, one, write(UNFIT), errorAnswer(400));
        expect(argumentsOf(turn)).toEqual([UNFIT]);
        expect(turn.told.status).toBe(200);
      });

      test('is forwarded, and asked for once, unless it is configured', async () => {
        const turn = await ask(forwarding, one, write(UNFIT), write(FIT));
        expect(argumentsOf(turn)).toEqual([UNFIT]);
        expect(turn.rounds).toHaveLength(1);
        expect(turn.told.headers.get('x-holdfast-asked-again')).toBeNull();
      });

      test('is not what fits: that is told as it comes', async () => {
        const turn = await ask(asking, one, write(FIT));
        expect(argumentsOf(turn)).toEqual([FIT]);
        expect(turn.rounds).toHaveLength(1);
        expect(turn.told.headers.get('x-holdfast-asked-again')).toBeNull();
      });
    },
  );
});

function protocolOf(path: string): Protocol {
  if (path.includes('/messages')) return 'messages';
  return path.includes('/responses') ? 'responses' : 'chat';
}
