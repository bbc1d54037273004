import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { ChatStreamReader } from './read-chat-stream.ts';

const START = { type: 'start', id: 'c1', model: 'm', created: 5 };

function readAll(pieces: readonly Uint8Array[], maxLength?: number): UpstreamFrame[] {
  const reader = new ChatStreamReader(maxLength);
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
}

function eventsOf(text: string): UpstreamEvent[] {
  return readAll([Buffer.from(text)]).flatMap(({ events }) => events);
}

function sse(...items: readonly unknown[]): string {
  return items
    .map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`)
    .join('');
}

function chunk(delta: unknown, finish: string | null = null, more: object = {}): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'c1', object: 'chat.completion.chunk', created: 5, model: 'm', choices, ...more };
}

/** The first error of a stream. */
function errorIn(text: string, maxLength?: number): unknown {
  const events = readAll([Buffer.from(text)], maxLength).flatMap((frame) => frame.events);
  return events.find((event) => event.type === 'error')?.error;
}

const fragment = { type: 'call-fragment', choice: 0, slot: 0 };
const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };

describe('ChatStreamReader', () => {
  test('reads text, reasoning, the reason of the end, and usage', () => {
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    const stream = sse(
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'hm' }),
      chunk({ reasoning: 'so' }),
      chunk({ content: 'Hi' }),
      chunk({}, 'stop'),
      { id: 'c1', choices: [], usage },
      '[DONE]',
    );
    expect(eventsOf(stream)).toEqual([
      START,
      { type: 'reasoning', choice: 0, text: 'hm' },
      { type: 'reasoning', choice: 0, text: 'so' },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'finish', choice: 0, reason: 'stop' },
      {
        type: 'usage',
        usage: { inputTokens: 3, outputTokens: 4, cachedTokens: 1, reasoningTokens: 2 },
      },
      { type: 'done' },
    ]);
  });

  test('keeps every payload as it came', () => {
    const data = '{"choices":[ {"index":0,"delta":{"content":"é"}} ],"id":"c1"}';
    const [frame] = readAll([Buffer.from(`data: ${data}\n\n`)]);
    expect(frame).toMatchObject({ data, body: JSON.parse(data) as object });
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'content-filter'],
    ['eos_token', 'stop'],
  ])('reads the reason %s as %s', (word, reason) => {
    expect(eventsOf(sse(chunk({ content: 'x' }, word)))).toContainEqual({
      type: 'finish',
      choice: 0,
      reason,
    });
  });

  test('tells a call before the reason in the same chunk', () => {
    expect(eventsOf(sse(chunk({ tool_calls: [call] }, 'tool_calls')))).toEqual([
      START,
      { ...fragment, id: 'a', name: 'f', json: '{"x":1}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]);
  });

  test('tells the reason behind arguments that come after it', () => {
    const begun = { ...call, function: { name: 'f', arguments: '{"x"' } };
    const rest = { index: 0, function: { arguments: ':1}' } };
    const stream = sse(
      chunk({ tool_calls: [begun] }),
      chunk({}, 'tool_calls'),
      chunk({ tool_calls: [rest] }),
      '[DONE]',
    );
    expect(eventsOf(stream)).toEqual([
      START,
      { ...fragment, id: 'a', name: 'f', json: '{"x"' },
      { ...fragment, json: ':1}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
      { type: 'done' },
    ]);
  });

  test('holds no reason back where the answer was cut', () => {
    const begun = { ...call, function: { name: 'f', arguments: '{"x"' } };
    const events = eventsOf(sse(chunk({ tool_calls: [begun] }), chunk({}, 'length')));
    expect(events.at(-1)).toEqual({ type: 'finish', choice: 0, reason: 'length' });
  });

  test('tells a call without arguments by its name when the answer ends', () => {
    const bare = { index: 0, id: 'a', function: { name: 'f', arguments: '' } };
    const events = eventsOf(sse(chunk({ tool_calls: [bare] }), chunk({}, 'tool_calls')));
    expect(events.slice(1)).toEqual([
      { ...fragment, id: 'a' },
      { ...fragment, name: 'f' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]);
  });

  test('reads an empty list of calls as none', () => {
    expect(eventsOf(sse(chunk({ content: 'x', tool_calls: [] })))).toEqual([
      START,
      { type: 'text', choice: 0, text: 'x' },
    ]);
  });

  test('keeps choices apart, by position where they have no index', () => {
    const body = {
      choices: [
        { delta: { content: 'a' }, finish_reason: null },
        { delta: { content: 'b' }, finish_reason: null },
      ],
    };
    expect(eventsOf(sse(body)).slice(1)).toEqual([
      { type: 'text', choice: 0, text: 'a' },
      { type: 'text', choice: 1, text: 'b' },
    ]);
  });

  test('reads a content that is a list of parts', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ];
    expect(eventsOf(sse(chunk({ content }))).slice(1)).toEqual([
      { type: 'reasoning', choice: 0, text: 'hm' },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'opaque', choice: 0, content: { content: [content[2]] } },
    ]);
  });

  test('passes on what only this protocol has', () => {
    const events = eventsOf(sse(chunk({ refusal: 'No.', annotations: [], audio: null })));
    expect(events.slice(1)).toEqual([{ type: 'opaque', choice: 0, content: { refusal: 'No.' } }]);
  });

  test('reads reasoning that is told in details only', () => {
    const details = [{ type: 'reasoning.text', text: 'hm' }];
    expect(eventsOf(sse(chunk({ reasoning_details: details })))[1]).toEqual({
      type: 'reasoning',
      choice: 0,
      text: 'hm',
    });
  });

  test('a field named __proto__ is data', () => {
    const data = '{"choices":[{"index":0,"delta":{"__proto__":{"polluted":true}}}]}';
    const events = eventsOf(sse(data));
    const opaque = events.find((event) => event.type === 'opaque');
    expect(Object.keys(opaque?.content ?? {})).toEqual(['__proto__']);
    expect(opaque?.content['polluted']).toBeUndefined();
  });

  test.each([
    null,
    [],
    { choices: null },
    { choices: [null, 3, 'x'] },
    { choices: [{ delta: null }] },
    { choices: [{ delta: { content: 3, tool_calls: 'x', function_call: [] } }] },
    { choices: {}, usage: 'x', id: 7, model: null, created: 'x' },
  ])('survives %j', (body) => {
    expect(() => eventsOf(sse(body, chunk({ content: 'x' })))).not.toThrow();
  });

  describe('errors', () => {
    test.each([
      ['an error object', sse({ error: { message: 'no', type: 'server_error', code: 500 } }), 'no'],
      ['an error text', sse({ error: 'no' }), 'no'],
      ['the older shape', sse({ object: 'error', message: 'no', code: 400 }), 'no'],
      ['an event named error', 'event: error\ndata: {"message":"no"}\n\n', 'no'],
      ['a field named error', 'error: {"code":500,"message":"no"}\n\n', 'no'],
      ['a bare object', '{"error":{"message":"no"}}\n\n', 'no'],
    ])('reads %s', (_, text, message) => {
      expect(errorIn(text)).toMatchObject({ message });
    });

    test.each([
      [{ code: 429 }, 'rate-limited', 429],
      [{ code: '503' }, 'overloaded', 503],
      [{ status: 401 }, 'authentication', 401],
      [{ code: 422 }, 'invalid-request', 422],
      [{ type: 'rate_limit_error' }, 'rate-limited', undefined],
      [{ type: 'invalid_request_error' }, 'invalid-request', undefined],
      [{ code: 'context_length_exceeded' }, 'invalid-request', undefined],
      [{}, 'upstream', undefined],
    ])('knows the kind of %j', (fields, kind, status) => {
      const error = errorIn(sse({ error: { message: 'no', ...fields } }));
      expect(error).toEqual({ kind, message: 'no', ...(status !== undefined && { status }) });
    });

    test('tells what arrived in place of JSON, at most its beginning, and harmless', () => {
      const text = `<html>\u001B]52;${'x'.repeat(200)}`;
      expect(errorIn(sse(text))).toEqual({
        kind: 'upstream',
        message: `the upstream sent "<html>\uFFFD]52;${'x'.repeat(89)}"…, and a JSON object was expected`,
      });
    });

    test('refuses an event that is too long', () => {
      expect(errorIn(sse('x'.repeat(50)), 160)).toEqual({
        kind: 'upstream',
        message: expect.stringContaining('an event of more than 40 characters') as string,
      });
    });

    test('refuses what is nested too deep to be written again', () => {
      const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
      expect(errorIn(sse(deep))).toMatchObject({ kind: 'upstream' });
    });
  });

  describe('at the end', () => {
    test('reads an event that lacks its blank line', () => {
      expect(eventsOf('data: [DONE]')).toEqual([{ type: 'done' }]);
    });

    test('a stream cut inside an event is an error', () => {
      const text = sse(chunk({ content: 'x' }));
      expect(errorIn(text + text.slice(0, 40))).toMatchObject({
        message: expect.stringContaining('broke off inside an event') as string,
      });
    });

    test('a cut behind the reason of the end is none', () => {
      expect(errorIn(`${sse(chunk({}, 'stop'))}data: {"usage":`)).toBeUndefined();
    });

    test('nothing is read behind [DONE]', () => {
      expect(eventsOf(sse('[DONE]', 'garbage', '[DONE]'))).toEqual([{ type: 'done' }]);
    });
  });

  test('reads the same however the bytes are cut', () => {
    const delta = fc.oneof(
      fc.record({ content: fc.string({ unit: 'grapheme' }) }),
      fc.record({ reasoning_content: fc.string({ unit: 'grapheme' }) }),
      fc.record({
        tool_calls: fc.array(
          fc.record(
            {
              index: fc.nat({ max: 2 }),
              id: fc.constantFrom('a', 'b', ''),
              function: fc.record({
                name: fc.constantFrom('f', 'g', ''),
                arguments: fc.constantFrom('{', '}', '{"é":1}', ''),
              }),
            },
            { requiredKeys: ['function'] },
          ),
          { maxLength: 2 },
        ),
      }),
      fc.constant({}),
    );
    const item = fc.oneof(
      fc.tuple(delta, fc.constantFrom(null, null, null, 'stop')).map(([d, f]) => sse(chunk(d, f))),
      fc.constantFrom(': ping\n\n', 'data: garbage\n\n', sse({ choices: [], usage: {} })),
    );
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 12 }),
        fc.boolean(),
        fc.array(fc.nat({ max: 3_000 })),
        (items, isCrLf, cuts) => {
          const text = `${items.join('')}data: [DONE]\n\n`;
          const bytes = Buffer.from(isCrLf ? text.replaceAll('\n', '\r\n') : text);
          const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))]
            .sort((one, other) => one - other)
            .concat(bytes.length);
          const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
          expect(readAll(pieces)).toEqual(readAll([bytes]));
        },
      ),
    );
  });
});
