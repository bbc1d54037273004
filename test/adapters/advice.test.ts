import type { MendEvent } from '@holdfast/core/openai';
import { describe, expect, it } from 'vitest';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { messagesBodyOf } from '../support/messages-stream-of.ts';
import { messageItem, responsesBodyOf } from '../support/responses-stream-of.ts';
import { connect as connectAnthropic, messagesTools } from './anthropic-clients.ts';
import { READ_FILE, withServer } from './ask.ts';
import { chatTools, connect, responsesTools } from './openai-clients.ts';

const ARGUMENTS = { path: 'gone.md' };
const FAILED = 'cat: gone.md: No such file or directory';
const IDS = ['call_first', 'call_second'];

/** The same call, failed twice, as each SDK sends it. */
const chatMessages = IDS.flatMap((id) => [
  {
    role: 'assistant' as const,
    content: null,
    tool_calls: [
      {
        id,
        type: 'function' as const,
        function: { name: 'read_file', arguments: JSON.stringify(ARGUMENTS) },
      },
    ],
  },
  { role: 'tool' as const, tool_call_id: id, content: FAILED },
]);
const responsesInput = IDS.flatMap((id) => [
  {
    type: 'function_call' as const,
    call_id: id,
    name: 'read_file',
    arguments: JSON.stringify(ARGUMENTS),
  },
  { type: 'function_call_output' as const, call_id: id, output: FAILED },
]);
const messages = IDS.flatMap((id) => [
  {
    role: 'assistant' as const,
    content: [{ type: 'tool_use' as const, id, name: 'read_file', input: ARGUMENTS }],
  },
  {
    role: 'user' as const,
    content: [{ type: 'tool_result' as const, tool_use_id: id, is_error: true, content: FAILED }],
  },
]);

const model = 'local';
const ADVISED = `${FAILED}\n\n⚠️ Tool guidance: The same read_file call failed 2 times`;

describe('a model whose calls keep failing', () => {
  it('is told so in Chat Completions, on the last result and nowhere else', async () => {
    await withServer({ body: chatBodyOf('I see.') }, async ({ origin, requests }) => {
      const events: MendEvent[] = [];
      const body = { model, messages: chatMessages, tools: chatTools([READ_FILE]) };
      const client = connect(origin, { onEvent: (event) => events.push(event) });
      await client.chat.completions.create(body);
      await connect(origin, { advice: false }).chat.completions.create(body);

      const [advised, quiet] = requests.map(({ json }) => json as typeof body);
      expect(advised!.messages.slice(0, -1)).toEqual(chatMessages.slice(0, -1));
      expect(advised!.messages.at(-1)!.content).toContain(ADVISED);
      expect(quiet!.messages).toEqual(chatMessages);
      expect(events).toMatchObject([{ type: 'advice-added' }]);
    });
  });

  it('is told so in Responses', async () => {
    const body = responsesBodyOf([messageItem('I see.')]);

    await withServer({ body }, async ({ origin, requests }) => {
      const tools = responsesTools([READ_FILE]);
      await connect(origin).responses.create({ model, input: responsesInput, tools });

      const { input } = requests[0]!.json as { readonly input: typeof responsesInput };
      expect(input.slice(0, -1)).toEqual(responsesInput.slice(0, -1));
      expect((input.at(-1) as { readonly output: string }).output).toContain(ADVISED);
    });
  });

  it('is told so in Messages, streamed too', async () => {
    const body = messagesBodyOf([{ type: 'text', text: 'I see.' }]);

    await withServer({ body }, async ({ origin, requests }) => {
      const asked = { model, max_tokens: 10, messages, tools: messagesTools([READ_FILE]) };
      await connectAnthropic(origin).messages.create(asked);

      const { messages: sent } = requests[0]!.json as { readonly messages: typeof messages };
      expect(sent.slice(0, -1)).toEqual(messages.slice(0, -1));
      expect(sent.at(-1)!.content).toMatchObject([
        { type: 'tool_result', content: expect.stringContaining(ADVISED) as unknown },
      ]);
    });
  });

  it('is not told twice where a guarded tool has said so', async () => {
    const told = chatMessages.with(-1, {
      role: 'tool',
      tool_call_id: 'call_second',
      content: `${FAILED}\n\n⚠️ Tool guidance: Look for the file first.`,
    });

    await withServer({ body: chatBodyOf('I see.') }, async ({ origin, requests }) => {
      const body = { model, messages: told, tools: chatTools([READ_FILE]) };
      await connect(origin).chat.completions.create(body);

      expect((requests[0]!.json as typeof body).messages).toEqual(told);
    });
  });
});
