import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import type { ParseEvent } from '../parse-event.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { ToolDefinition } from '../../types.ts';
import { functionaryV32 } from './functionary-v3.2.ts';

describeFormat({
  parser: functionaryV32,
  write: (name, args) => `>>>${name}\n${JSON.stringify(args)}`,
  pieces: [
    '>>>',
    '>>>f\n',
    '>>>f\n{"a":',
    '>>>all\n',
    '>>>python\n',
    'all\n',
    'do_it\n',
    'do_it\n{"a": 1}',
    'python\nx >>> y',
  ],
  skips: { 'missing-end': 'nothing ends a call but its JSON' },
});

const TOOLS: readonly ToolDefinition[] = [{ name: 'search' }, { name: 'python' }];

describe('functionary-v3.2', () => {
  test('reads a first segment without a marker, and the segments behind it', () => {
    expect(
      parseToolCalls('all\nLooking it up.>>>search\n{"q": "a"}\n>>>search\n{"q": "b"}'),
    ).toMatchObject({
      calls: [{ arguments: { q: 'a' } }, { arguments: { q: 'b' } }],
      text: 'Looking it up.\n',
    });
    expect(parseToolCalls('search\n{"q": "a"}', { tools: TOOLS })).toMatchObject({
      calls: [{ name: 'search', arguments: { q: 'a' } }],
      text: '',
    });
  });

  test('reads a first segment without tools if its name is no plain word and nothing follows', () => {
    expect(parseToolCalls('web_search\n{"q": "a"}\n').calls).toMatchObject([
      { name: 'web_search' },
    ]);
    for (const text of [
      'Result\n{"q": "a"}',
      'json\n{"q": "a"}',
      'web_search\n{"q": "a"}\nas said',
    ])
      expect(parseToolCalls(text)).toMatchObject({ text });
  });

  test('does not hold the first word where it cannot be a tool', () => {
    const events: ParseEvent[] = [];
    const stream = createToolCallStream({ tools: TOOLS, onEvent: (event) => events.push(event) });
    stream.feed('Hel');
    expect(events).toEqual([{ type: 'text-delta', text: 'Hel' }]);
    stream.reset();
    stream.feed('Sea');
    expect(events).toHaveLength(1);
  });

  test('gives code to the interpreter as it is, up to the next segment', () => {
    expect(
      parseToolCalls('all\nRun:>>>python\nx = 8 >>> 2\nprint(x)\n>>>search\n{}').calls,
    ).toMatchObject([
      { name: 'python', arguments: { code: 'x = 8 >>> 2\nprint(x)\n' }, lossy: false },
      { name: 'search' },
    ]);
  });

  test('takes code without any marker for a guess, and for text where no such tool was offered', () => {
    const text = 'python\nprint("hey")';
    expect(parseToolCalls(text).calls).toMatchObject([
      { name: 'python', arguments: { code: 'print("hey")' }, lossy: true },
    ]);
    expect(parseToolCalls(text, { tools: TOOLS }).calls).toMatchObject([{ lossy: false }]);
    expect(parseToolCalls(text, { tools: [{ name: 'search' }] })).toMatchObject({
      calls: [],
      text,
    });
  });

  test.each([
    'In the shell:\n>>> print(1)\n1',
    'a >>> b',
    'All of them.\n{"q": "a"}',
    '>>>name without a line of its own {"q": "a"}',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
