import { describe, expect, test } from 'vitest';
import { readChatAnswer } from './read-chat-answer.ts';

describe('readChatAnswer', () => {
  test('reads all of an answer as one frame', () => {
    const body = {
      id: 'c1',
      model: 'm',
      created: 5,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            reasoning_content: 'hm',
            content: 'Hi',
            refusal: 'No.',
            tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    };
    const data = JSON.stringify(body);
    expect(readChatAnswer(data)).toEqual({
      data,
      body,
      events: [
        { type: 'start', id: 'c1', model: 'm', created: 5 },
        { type: 'reasoning', choice: 0, text: 'hm' },
        { type: 'text', choice: 0, text: 'Hi' },
        { type: 'call-fragment', choice: 0, slot: 0, name: 'f', json: '{"x":1}' },
        { type: 'opaque', choice: 0, content: { refusal: 'No.' } },
        { type: 'finish', choice: 0, reason: 'tool-calls' },
        { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
        { type: 'done' },
      ],
    });
  });

  test('a whole answer has ended, whether it says why or not', () => {
    const { events } = readChatAnswer(
      '{"choices":[{"message":{"content":"Hi"},"finish_reason":null}]}',
    );
    expect(events).toContainEqual({ type: 'finish', choice: 0, reason: 'stop' });
  });

  test.each([
    ['a page', '<html>busy</html>', 'the upstream answered "<html>busy</html>"'],
    ['nothing', '', 'the upstream answered ""'],
    ['no choices', '{"choices":[]}', 'the upstream answered "{\\"choices\\":[]}"'],
    ['a list', '[]', 'the upstream answered "[]"'],
    ['an error', '{"error":{"message":"no model"}}', 'no model'],
  ])('%s is an error', (_, text, message) => {
    const { events } = readChatAnswer(text);
    expect(events).toEqual([
      {
        type: 'error',
        error: { kind: 'upstream', message: expect.stringContaining(message) as string },
      },
    ]);
  });
});
