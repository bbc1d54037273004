import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { guardTools, wrapAnthropic } from '@holdfast/core/anthropic';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, it } from 'vitest';
import { messagesBodyOf } from '../support/messages-stream-of.ts';
import type { RecordedRequest } from '../support/scripted-upstream.ts';
import { withServer, WRITTEN_CALL } from './ask.ts';

/** How a tool is run; the SDK's own type asks the compiler for every schema there can be. */
type Run = (
  input: unknown,
  context?: { readonly signal?: AbortSignal | null | undefined },
) => string | Promise<string>;

const readFile = (run: Run) =>
  betaTool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    run,
  });

const broken = (): never => {
  throw new Error('disk on fire');
};

const resultsIn = ({ json }: RecordedRequest): readonly unknown[] => {
  const { messages } = json as { readonly messages: readonly { content: unknown }[] };
  const content = messages.at(-1)!.content as string | readonly { readonly type: string }[];
  return typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result');
};

/** Calls once, and then sees. */
const model = (request: RecordedRequest): { readonly body: string } => ({
  body: messagesBodyOf([
    { type: 'text', text: resultsIn(request).length === 0 ? WRITTEN_CALL : 'I see.' },
  ]),
});

const bodyOf = (run: Run) => ({
  model: 'local',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Please look.' }],
  tools: [readFile(run)],
});

const plain = (origin: string): Anthropic =>
  new Anthropic({ baseURL: origin, apiKey: 'local', maxRetries: 0 });

describe('guarded tools of Anthropic', () => {
  it('tell the model of a failure in toolRunner, and what to do', async () => {
    await withServer(model, async ({ origin, requests }) => {
      const { messages } = wrapAnthropic(plain(origin)).beta;
      const last = await messages.toolRunner(bodyOf(broken));

      expect(last.content).toMatchObject([{ type: 'text', text: 'I see.' }]);
      expect(resultsIn(requests.at(-1)!)).toMatchObject([
        {
          is_error: true,
          content:
            'Error: read_file failed (tool-error): disk on fire. The tool ran and reported an error. Read it and change the call before trying again.',
        },
      ]);
    });
  });

  it('share their circuits with every run of the client', async () => {
    let runs = 0;
    const body = bodyOf(() => {
      runs++;
      return broken();
    });

    await withServer(model, async ({ origin, requests }) => {
      const client = wrapAnthropic(plain(origin), { guard: { clock: new ManualClock() } });
      for (let run = 0; run < 6; run++) await client.beta.messages.toolRunner(body);

      expect(runs).toBe(5);
      expect(JSON.stringify(resultsIn(requests.at(-1)!))).toContain('it has failed too often');
    });
  });

  it('keep what an error of the tool says in blocks', async () => {
    const content = [{ type: 'text' as const, text: 'It is on fire.' }];
    const failure = Object.assign(new Error('on fire'), { name: 'ToolError', content });
    const [tool] = guardTools([readFile(() => Promise.reject(failure))]);

    await expect(tool.run({})).rejects.toBe(failure);
  });

  it('have a signal that is aborted when the time is up', async () => {
    const clock = new ManualClock();
    let signal: AbortSignal | null | undefined;
    const hangs: Run = (_input, context) => {
      signal = context?.signal;
      return new Promise(() => {});
    };
    const [tool] = guardTools([readFile(hangs)], { clock, timeoutMs: 50 });
    const block = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} } as never;
    const running = Promise.resolve(tool.run({}, { toolUse: block, toolUseBlock: block })).catch(
      (error: unknown) => error,
    );
    await clock.advance(50);

    expect(await running).toMatchObject({ failure: { class: 'timeout' } });
    expect(signal?.aborted).toBe(true);
  });

  it('leave alone what Anthropic runs itself', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' } as const;

    expect(guardTools([search])).toEqual([search]);
  });
});
