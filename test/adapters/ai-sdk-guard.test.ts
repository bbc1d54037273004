import { guardTools, ToolFailedError } from '@holdfast/core/ai-sdk';
import { Advisor } from '@holdfast/core/advise';
import { ManualClock } from '@holdfast/core/testing';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { chatBodyOf, chatStreamOf } from '../support/chat-stream-of.ts';
import { connect } from './ai-sdk-clients.ts';
import { READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';

const inputSchema = jsonSchema<{ path: string }>(READ_FILE.parameters!);
const CONTEXT = { toolCallId: 'call_1', messages: [], context: {} };

/** A tool that can be called by hand. */
type Runnable<Input> = (
  input: Input,
  options: typeof CONTEXT & { abortSignal?: AbortSignal },
) => unknown;
const executeOf = (tools: Record<string, { execute?: unknown }>): Runnable<{ path: string }> =>
  tools['read_file']!.execute as Runnable<{ path: string }>;

const settings = (url: string) => ({
  model: connect(url, 'local', { advice: false }),
  prompt: 'Please look.',
  stopWhen: stepCountIs(2),
  maxRetries: 0,
});

describe('guarded tools of the AI SDK', () => {
  it('tell the model what failed and what to do', async () => {
    const asked: string[] = [];
    const tools = guardTools({
      read_file: tool({
        inputSchema,
        execute: (): string => {
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        },
      }),
    });

    await withServer(
      ({ body }) => {
        asked.push(body);
        return { body: chatBodyOf(asked.length === 1 ? WRITTEN_CALL : 'I see.') };
      },
      async ({ origin }) => {
        const { text } = await generateText({ ...settings(origin), tools });

        expect(text).toBe('I see.');
        expect(asked[1]).toContain('read_file failed (transport): connect ECONNREFUSED.');
        expect(asked[1]).toContain('Do not repeat the call at once');
      },
    );
  });

  it('spare a tool that keeps failing, and say when to call it again', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const execute = executeOf(
      guardTools(
        {
          read_file: tool({
            inputSchema,
            execute: (): string => {
              runs++;
              throw new Error('broken');
            },
          }),
        },
        { clock },
      ),
    );
    for (let call = 0; call < 5; call++)
      await expect(execute({ path: 'a' }, CONTEXT)).rejects.toThrow(
        'read_file failed (tool-error)',
      );

    const refused = await Promise.resolve(execute({ path: 'a' }, CONTEXT)).catch((e: unknown) => e);

    expect(runs).toBe(5);
    expect(refused).toBeInstanceOf(ToolFailedError);
    expect(refused).toMatchObject({
      code: 'tool-failed',
      tool: 'read_file',
      retryAfterMs: 60_000,
      failure: { class: 'refused' },
      message: expect.stringMatching(/^read_file was not called: .*\(in 60 s\)\.$/) as unknown,
    });
  });

  it('end a tool that hangs, and let it know', async () => {
    const clock = new ManualClock();
    let signal: AbortSignal | undefined;
    const execute = executeOf(
      guardTools(
        {
          read_file: tool({
            inputSchema,
            execute: (_input, options) => {
              signal = options.abortSignal;
              return new Promise<string>(() => {});
            },
          }),
        },
        { clock, timeoutMs: 100 },
      ),
    );
    const running = Promise.resolve(execute({ path: 'a' }, CONTEXT)).catch((e: unknown) => e);
    await clock.advance(100);

    expect(await running).toMatchObject({ failure: { class: 'timeout' } });
    expect(signal?.aborted).toBe(true);
  });

  it('are tried again where they only read', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const tools = {
      read_file: tool({
        inputSchema,
        execute: (): string => {
          if (++runs < 2) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
          return 'read';
        },
      }),
    };
    const toolSettings = { read_file: { annotations: { readOnlyHint: true } } };
    const running = executeOf(guardTools(tools, { clock, toolSettings }))({ path: 'a' }, CONTEXT);
    await clock.advance(60_000);

    expect(await running).toBe('read');
    expect(runs).toBe(2);
  });

  it('hand on what the program gives up with', async () => {
    const controller = new AbortController();
    const execute = executeOf(
      guardTools({
        read_file: tool({ inputSchema, execute: () => new Promise<string>(() => {}) }),
      }),
    );
    const running = execute({ path: 'a' }, { ...CONTEXT, abortSignal: controller.signal });
    const reason = new Error('the user left');
    controller.abort(reason);

    await expect(running).rejects.toBe(reason);
  });

  it('add the advice of an advisor to what failed, and to a text that did not', async () => {
    const advisor = new Advisor({});
    const execute = executeOf(
      guardTools(
        {
          read_file: tool({
            inputSchema,
            execute: ({ path }): string => {
              if (path === 'gone') throw new Error('ENOENT: no such file');
              return 'the same';
            },
          }),
        },
        { advisor },
      ),
    );
    const failed = (): Promise<unknown> =>
      Promise.resolve(execute({ path: 'gone' }, CONTEXT)).catch((error: unknown) => error);
    await failed();

    expect(await failed()).toMatchObject({
      message: expect.stringContaining('\n\n⚠️ Tool guidance: ') as unknown,
    });
  });

  it('stream what a tool yields, and its last value is the result', async () => {
    const tools = guardTools({
      read_file: tool({
        inputSchema,
        async *execute({ path }) {
          yield `opening ${path}`;
          yield `read ${path}`;
        },
      }),
    });
    const outputs: unknown[] = [];

    await withServer(
      (_, index) => ({ body: chatStreamOf(index === 0 ? WRITTEN_CALL : 'I see.') }),
      async ({ origin }) => {
        for await (const part of streamText({ ...settings(origin), tools }).fullStream)
          if (part.type === 'tool-result') outputs.push(part.output);
      },
    );
    expect([...new Set(outputs)]).toEqual(['opening notes.md', 'read notes.md']);
    expect(outputs.at(-1)).toBe('read notes.md');
  });

  it('tell of a failure behind what was yielded, and do not begin again', async () => {
    let runs = 0;
    const tools = guardTools(
      {
        read_file: tool({
          inputSchema,
          async *execute() {
            runs++;
            yield 'opening';
            throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
          },
        }),
      },
      { toolSettings: { read_file: { annotations: { readOnlyHint: true } } } },
    );
    const yielded: unknown[] = [];
    const read = async (): Promise<void> => {
      const values = executeOf(tools)({ path: 'a' }, CONTEXT) as AsyncIterable<unknown>;
      for await (const value of values) yielded.push(value);
    };

    await expect(read()).rejects.toThrow('read_file failed (transport)');
    expect(yielded).toEqual(['opening']);
    expect(runs).toBe(1);
  });

  it('leave alone what has nothing to run', () => {
    const tools = { ask: { inputSchema, description: 'Asks the user.' } };

    expect(guardTools(tools)).toEqual(tools);
    expect(() => guardTools(tools, { toolSettings: { ask: {} } })).toThrow('toolSettings.ask');
  });
});
