import { Advisor } from '@holdfast/core/advise';
import { guardTools, ToolFailedError } from '@holdfast/core/langchain';
import { ManualClock } from '@holdfast/core/testing';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import type { StructuredToolInterface, ToolRunnableConfig } from '@langchain/core/tools';
import { GraphInterrupt } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { describe, expect, it } from 'vitest';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';
import { connect, PROMPT, reactAgent } from './langchain-clients.ts';

type Run = (input: unknown, config?: ToolRunnableConfig) => unknown;

const readFile = (run: Run): StructuredToolInterface =>
  tool(run, { name: 'read_file', description: 'Reads a file.', schema: READ_FILE.parameters! });

const broken = (): never => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
};

const CALL = {
  name: 'read_file',
  args: { path: 'a.md' },
  type: 'tool_call',
  id: 'call_1',
} as const;
const called = new AIMessage({ content: '', tool_calls: [{ ...CALL }] });

const resultOf = async (guarded: StructuredToolInterface): Promise<BaseMessage> =>
  ((await new ToolNode([guarded]).invoke([called])) as BaseMessage[])[0]!;

describe('guarded tools of LangChain', () => {
  it('tell the model of an agent what failed and what to do', async () => {
    const asked: string[] = [];

    await withServer(
      ({ body }) => {
        asked.push(body);
        return { body: chatBodyOf(asked.length === 1 ? WRITTEN_CALL : 'I see.') };
      },
      async ({ origin }) => {
        const tools = [...guardTools([readFile(broken)])];
        await reactAgent(connect(origin), tools).invoke({ messages: [PROMPT] });

        expect(asked[1]).toContain('read_file failed (transport): connect ECONNREFUSED.');
        expect(asked[1]).toContain('Do not repeat the call at once');
      },
    );
  });

  it('are an error for a ToolNode, and for whoever invokes them', async () => {
    const [guarded] = guardTools([readFile(broken)]);

    expect(await resultOf(guarded)).toMatchObject({ status: 'error', tool_call_id: 'call_1' });
    await expect(guarded.invoke({ path: 'a.md' })).rejects.toBeInstanceOf(ToolFailedError);
  });

  it('spare a tool that keeps failing, and say when to call it again', async () => {
    let runs = 0;
    const failing = readFile(() => {
      runs++;
      broken();
    });
    const [guarded] = guardTools([failing], { clock: new ManualClock() });
    for (let call = 0; call < 5; call++) await resultOf(guarded);

    expect((await resultOf(guarded)).content).toContain(
      'read_file was not called: it has failed too often.',
    );
    expect(runs).toBe(5);
  });

  it('are tried again where that is known to be safe', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const flaky = readFile(() => (++runs < 3 ? broken() : 'read'));
    const toolSettings = { read_file: { annotations: { readOnlyHint: true } } };
    const [guarded] = guardTools([flaky], { clock, toolSettings });
    const running = resultOf(guarded);
    await clock.advance(60_000);

    expect((await running).content).toBe('read');
    expect(() => guardTools([flaky], { toolSettings: { reed_file: {} } })).toThrow(
      'guardTools.toolSettings.reed_file: expected one of read_file, got an object',
    );
    expect(() => guardTools([{ name: 'none' } as never])).toThrow(
      'guardTools: tools[0]: expected a tool with a name and invoke, got an object',
    );
  });

  it('have a signal that is aborted when the time is up, or when the caller gives up', async () => {
    const clock = new ManualClock();
    const signals: (AbortSignal | undefined)[] = [];
    const hangs = readFile((_input, config) => {
      signals.push(config?.signal);
      return new Promise(() => {});
    });
    const [guarded] = guardTools([hangs], { clock, timeoutMs: 50 });
    const late = guarded.invoke({ path: 'a.md' }).catch((error: unknown) => error);
    await clock.advance(50);
    const caller = new AbortController();
    const left = guarded
      .invoke({ path: 'a.md' }, { signal: caller.signal })
      .catch((error: unknown) => error);
    caller.abort(new Error('enough'));

    expect(await late).toMatchObject({ failure: { class: 'timeout' } });
    expect(await left).toMatchObject({ message: 'enough' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('let a graph be interrupted, which is no failure', async () => {
    const asks = readFile(() => {
      throw new GraphInterrupt([{ value: 'May I?' }]);
    });
    const [guarded] = guardTools([asks], { clock: new ManualClock() });
    for (let call = 0; call < 6; call++)
      await expect(resultOf(guarded)).rejects.toBeInstanceOf(GraphInterrupt);
  });

  it('count a result that the tool itself calls an error, and keep it', async () => {
    const says = new ToolMessage({ content: 'on fire', tool_call_id: 'call_1', status: 'error' });
    const [guarded] = guardTools([readFile(() => says)], { clock: new ManualClock() });
    for (let call = 0; call < 5; call++)
      expect(await resultOf(guarded)).toMatchObject({ content: 'on fire', status: 'error' });

    expect((await resultOf(guarded)).content).toContain('read_file was not called');
  });

  it('carry advice on the result that it belongs to', async () => {
    const advisor = new Advisor();
    const says = (): ToolMessage =>
      new ToolMessage({ content: 'on fire', tool_call_id: 'call_1', status: 'error' });
    const [guarded] = guardTools([readFile(says)], { advisor });
    await resultOf(guarded);

    expect((await resultOf(guarded)).content).toMatch(/^on fire\n\n⚠️ Tool guidance: /);
  });

  it('stay the tools that they were', async () => {
    const plain = readFile(() => 'read');
    const [guarded] = guardTools([plain]);

    expect(guarded).not.toBe(plain);
    expect(guarded).toBeInstanceOf(plain.constructor);
    expect(guarded.schema).toBe(plain.schema);
    expect(await guarded.batch([{ path: 'a.md' }, { path: 'b.md' }])).toEqual(['read', 'read']);
  });
});
