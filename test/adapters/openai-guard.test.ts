import { guardTools, wrapOpenAI } from '@holdfast/core/openai';
import { ManualClock } from '@holdfast/core/testing';
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import type { RecordedRequest } from '../support/scripted-upstream.ts';
import { READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';

const PROMPT = { role: 'user', content: 'Please look.' } as const;

/** A tool as `runTools` takes it. */
const readFile = (run: (input: { path: string }) => unknown) => ({
  type: 'function' as const,
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: READ_FILE.parameters!,
    parse: JSON.parse as (text: string) => { path: string },
    function: run,
  },
});

const broken = (): never => {
  throw new Error('disk on fire');
};

/** Calls once, and then says what it was told. */
const model = ({ json }: RecordedRequest): { readonly body: string } => {
  const { messages } = json as { readonly messages: readonly { role: string; content: string }[] };
  const last = messages.at(-1)!;
  return { body: chatBodyOf(last.role === 'tool' ? `It says: ${last.content}` : WRITTEN_CALL) };
};

const plain = (origin: string): OpenAI =>
  new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'local', maxRetries: 0 });

describe('guarded tools of OpenAI', () => {
  it('tell the model of a failure in runTools, where the SDK would end the run', async () => {
    await withServer(model, async ({ origin }) => {
      const body = { model: 'local', messages: [PROMPT], tools: [readFile(broken)] };
      const unguarded = wrapOpenAI(plain(origin), { guard: false });
      const guarded = wrapOpenAI(plain(origin));

      await expect(unguarded.chat.completions.runTools(body).finalContent()).rejects.toThrow(
        'disk on fire',
      );
      expect(await guarded.chat.completions.runTools(body).finalContent()).toBe(
        'It says: read_file failed (tool-error): disk on fire. The tool ran and reported an error. Read it and change the call before trying again.',
      );
    });
  });

  it('share their circuits with every run and every copy of the client', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const tools = [
      readFile(() => {
        runs++;
        broken();
      }),
    ];
    const body = { model: 'local', messages: [PROMPT], tools };

    await withServer(model, async ({ origin }) => {
      const client = wrapOpenAI(plain(origin), { guard: { clock } });
      for (let run = 0; run < 5; run++) await client.chat.completions.runTools(body).finalContent();
      const copy = client.withOptions({ timeout: 5_000 });

      expect(await copy.chat.completions.runTools(body).finalContent()).toContain(
        'read_file was not called: it has failed too often.',
      );
      expect(runs).toBe(5);
    });
  });

  it('may be made by zodFunction, or be named by their function only', async () => {
    const made = zodFunction({
      name: 'read_file',
      parameters: z.object({ path: z.string() }),
      function: ({ path }) => (path === 'notes.md' ? broken() : path),
    });
    const { name: _name, ...rest } = readFile(broken).function;
    const read_file = (): never => broken();
    const unnamed = { type: 'function' as const, function: { ...rest, function: read_file } };

    await withServer(model, async ({ origin }) => {
      const { completions } = wrapOpenAI(plain(origin)).chat;
      for (const tools of [[made], [unnamed]]) {
        const told = completions.runTools({ model: 'local', messages: [PROMPT], tools });
        expect(await told.finalContent()).toContain('read_file failed (tool-error): disk on fire');
      }
    });
  });

  it('can be guarded one list at a time, with what is known of each', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const flaky = readFile(() => {
      if (++runs < 3) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      return 'read';
    });
    const toolSettings = { read_file: { annotations: { readOnlyHint: true } } };
    const [tool] = guardTools([flaky], { clock, toolSettings });
    const running = tool.function.function({ path: 'a.md' });
    await clock.advance(60_000);

    expect(await running).toBe('read');
    expect(() => guardTools([flaky], { toolSettings: { reed_file: {} } })).toThrow(
      'guardTools.toolSettings.reed_file: expected one of read_file, got an object',
    );
  });

  it('end with the run that is given up', async () => {
    await withServer(model, async ({ origin }) => {
      const tools = [readFile(() => new Promise(() => {}))];
      const { completions } = wrapOpenAI(plain(origin)).chat;
      const runner = completions.runTools({ model: 'local', messages: [PROMPT], tools });
      runner.on('message', ({ role }) => {
        if (role === 'assistant') setImmediate(() => runner.abort());
      });

      await expect(runner.finalContent()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    });
  });
});
