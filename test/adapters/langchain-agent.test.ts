import { toolCallMiddleware } from '@holdfast/core/langchain';
import type { ToolCallMiddlewareOptions } from '@holdfast/core/langchain';
import { ManualClock } from '@holdfast/core/testing';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent, createMiddleware, initChatModel, toolStrategy } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { nativeDefects } from '../support/native-defects.ts';
import type { RecordedRequest } from '../support/scripted-upstream.ts';
import { describeAdapter } from './adapter-suite.case.ts';
import { READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';
import type { Conversation, Job } from './conversation.ts';
import { connectChat, followGraph, lcTools, PROMPT } from './langchain-clients.ts';

async function runAgent(job: Job, conversation: Conversation, streams: boolean): Promise<void> {
  const agent = createAgent({
    model: connectChat(job.url, job.model),
    tools: lcTools(job.tools, (name, input) => conversation.runTool(name, input)),
    middleware: [createMiddleware(toolCallMiddleware())],
  });
  const run = (options: object): Promise<AsyncIterable<unknown>> =>
    agent.stream({ messages: [PROMPT] }, options) as Promise<AsyncIterable<unknown>>;
  await followGraph(conversation, run, streams);
}

describeAdapter('an agent of LangChain with the middleware', {
  clients: [
    ['createAgent', (job, seen) => runAgent(job, seen, false), false],
    ['createAgent, streamed', (job, seen) => runAgent(job, seen, true), true],
  ],
  protocol: 'chat',
  finish: { calls: 'tool_calls', stop: 'stop', length: 'length' },
  defects: nativeDefects,
});

/** Calls until a result came, and then says what it was told. */
const model = ({ json }: RecordedRequest): { readonly body: string } => {
  const { messages } = json as { readonly messages: readonly { role: string; content: string }[] };
  const last = messages.at(-1)!;
  const body = chatBodyOf(last.role === 'tool' ? `It says: ${last.content}` : WRITTEN_CALL);
  // A message with the id of another takes its place.
  return { body: body.replace('chatcmpl-scripted', `chatcmpl-${messages.length}`) };
};

const broken = (): never => {
  throw new Error('disk on fire');
};

const agentAt = (
  origin: string,
  run: (name: string, input: unknown) => unknown,
  options: ToolCallMiddlewareOptions = {},
  others: readonly ReturnType<typeof createMiddleware>[] = [],
) => {
  const agent = createAgent({
    model: connectChat(origin, 'local'),
    tools: lcTools([READ_FILE], run),
    middleware: [createMiddleware(toolCallMiddleware(options)), ...others],
  });
  return async (): Promise<string> => {
    const { messages } = await agent.invoke({ messages: [PROMPT] });
    return messages.at(-1)!.text;
  };
};

describe('the middleware of LangChain', () => {
  it('tells the model of a failure, without what an agent would add', async () => {
    await withServer(model, async ({ origin }) => {
      expect(await agentAt(origin, broken)()).toBe(
        'It says: read_file failed (tool-error): disk on fire. The tool ran and reported an error. Read it and change the call before trying again.',
      );
      expect(await agentAt(origin, broken, { guard: false })()).toContain(
        'Please fix your mistakes',
      );
    });
  });

  it('marks the message as an error, and runs what lies inside once', async () => {
    const seen: unknown[] = [];
    const inner = createMiddleware({
      name: 'Inner',
      wrapToolCall: async (request, handler) => {
        const result = await handler(request);
        seen.push(result);
        return result;
      },
    });
    const outer: unknown[] = [];
    const afterwards = createMiddleware({
      name: 'Afterwards',
      beforeModel: ({ messages }) => {
        const last = messages.at(-1);
        if (ToolMessage.isInstance(last)) outer.push(last.status);
      },
    });

    await withServer(model, async ({ origin }) => {
      await agentAt(origin, broken, {}, [inner, afterwards])();

      expect(seen).toHaveLength(1);
      expect(outer).toEqual(['error']);
    });
  });

  it('shares circuits among all runs of the agent', async () => {
    let runs = 0;
    const failing = (): never => {
      runs++;
      return broken();
    };

    await withServer(model, async ({ origin }) => {
      const run = agentAt(origin, failing, { guard: { clock: new ManualClock() } });
      for (let time = 0; time < 5; time++) await run();

      expect(await run()).toContain('read_file was not called: it has failed too often.');
      expect(runs).toBe(5);
    });
  });

  it('retries and limits tools as it is told of each', async () => {
    let runs = 0;
    const flaky = (): string => {
      if (++runs < 2) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      return 'read';
    };
    const toolSettings = { read_file: { retry: { maxRetries: 1, initialDelayMs: 1 } } };

    await withServer(model, async ({ origin }) => {
      expect(await agentAt(origin, flaky, { guard: { toolSettings } })()).toBe('It says: read');
    });
    expect(() =>
      toolCallMiddleware({ guard: { toolSettings: { read_file: 5 as never } } }),
    ).toThrow('toolCallMiddleware.guard.toolSettings.read_file: expected an object, got 5');
    expect(() => toolCallMiddleware({ guards: {} } as never)).toThrow(
      'toolCallMiddleware.guards: expected an option that exists',
    );
  });

  it('reads the call of an answer that has to be of a shape', async () => {
    const written = '<tool_call>{"name": "found", "arguments": {"path": "notes.md"}}</tool_call>';

    await withServer({ body: chatBodyOf(written) }, async ({ origin }) => {
      const agent = createAgent({
        model: connectChat(origin, 'local'),
        tools: [],
        responseFormat: toolStrategy(z.object({ path: z.string() }).meta({ title: 'found' })),
        middleware: [createMiddleware(toolCallMiddleware())],
      });
      const { structuredResponse } = await agent.invoke({ messages: [PROMPT] });

      expect(structuredResponse).toEqual({ path: 'notes.md' });
    });
  });

  it('wraps a model that is bound, or chosen when it is asked', async () => {
    await withServer(model, async ({ origin }) => {
      const chosen = await initChatModel('openai:local', {
        apiKey: 'local',
        maxRetries: 0,
        configuration: { baseURL: `${origin}/v1` },
      });
      const bound = connectChat(origin, 'local').withConfig({ tags: ['a'] });
      for (const each of [chosen, bound]) {
        const agent = createAgent({
          model: each as never,
          tools: lcTools([READ_FILE], () => 'read'),
          middleware: [createMiddleware(toolCallMiddleware())],
        });
        const { messages } = await agent.invoke({ messages: [PROMPT] });

        expect(messages.at(-1)).toBeInstanceOf(AIMessage);
        expect(messages.at(-1)!.text).toBe('It says: read');
      }
    });
  });
});
