import { describe, expect, test } from 'vitest';
import { cutAt, readChunks } from './chunking.case.ts';
import { createDefaultRegistry } from './default-registry.ts';
import { defineFormat } from './define-format.ts';
import type { ParseEvent } from './parse-event.ts';
import { OpenAIToolParser } from './formats/openai.ts';
import { QwenToolParser } from './formats/qwen.ts';
import { parseToolCalls } from './parse-tool-calls.ts';
import { ParserRegistry } from './parser-registry.ts';
import { ToolCallTransformStream } from './tool-call-transform-stream.ts';

const CALL = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>';

describe('reasoning', () => {
  test.each(['think', 'thinking', 'reasoning'])('separates <%s> from the text', (tag) => {
    const result = parseToolCalls(`<${tag}>let me see</${tag}>\n\nHello`);
    expect(result).toMatchObject({ reasoning: 'let me see', text: '\n\nHello', calls: [] });
  });

  test('reads no calls in it', () => {
    const result = parseToolCalls(`<think>I could ${CALL}</think>${CALL}`);
    expect(result.calls).toHaveLength(1);
    expect(result.reasoning).toBe(`I could ${CALL}`);
  });

  test('reads calls in it when asked to', () => {
    const options = { callsInReasoning: 'read' } as const;
    const text = `<think>first ${CALL} then</think> done`;
    expect(parseToolCalls(text, options)).toMatchObject({
      calls: [{ name: 'ls' }],
      reasoning: 'first  then',
      text: ' done',
    });
    expect(readChunks(text.match(/[\s\S]/g) ?? [], options)).toMatchObject({
      reasoning: 'first  then',
      text: ' done',
      source: text,
    });
  });

  test('takes the rest of a text that never closes it, and says so', () => {
    const result = parseToolCalls('<think>and on and on');
    expect(result).toMatchObject({
      reasoning: 'and on and on',
      text: '',
      issues: [{ code: 'unclosed-reasoning' }],
    });
  });

  test('begins inside it when the prompt opened it', () => {
    for (const tag of ['think', 'thinking', 'reasoning']) {
      const text = `so I list</${tag}>${CALL}`;
      expect(parseToolCalls(text, { startsInReasoning: true })).toMatchObject({
        reasoning: 'so I list',
        calls: [{ name: 'ls' }],
      });
    }
  });

  test('leaves the tags in the text when asked to', () => {
    const text = `<think>hm</think>hi</think>`;
    for (const startsInReasoning of [true, false]) {
      const options = { reasoning: 'text', startsInReasoning } as const;
      expect(parseToolCalls(text, options)).toMatchObject({ reasoning: '', text });
      expect(readChunks(text.match(/[\s\S]/g) ?? [], options)).toMatchObject({
        reasoning: '',
        text,
      });
    }
  });

  test('is told as it arrives, without its tags', () => {
    const events: ParseEvent[] = [];
    const stream = createDefaultRegistry().createStream({ onEvent: (event) => events.push(event) });
    for (const chunk of ['<thi', 'nk>one ', 'two</th', 'ink>three and']) stream.feed(chunk);
    expect(events).toEqual([
      { type: 'reasoning-delta', text: '', raw: '<think>' },
      { type: 'reasoning-delta', text: 'one ', raw: 'one ' },
      { type: 'reasoning-delta', text: 'two', raw: 'two' },
      { type: 'reasoning-delta', text: '', raw: '</think>' },
      { type: 'text-delta', text: 'three and' },
    ]);
  });

  test('is a tag at the start of a line, not a word in a sentence', () => {
    expect(parseToolCalls('Use the <think> tag.').reasoning).toBe('');
    expect(parseToolCalls('Hi\n  <think>x</think>').reasoning).toBe('x');
  });
});

describe('tools', () => {
  const tools = [{ name: 'read_file' }, { name: 'write_file' }];
  const call = (name: string): string =>
    `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`;

  test('sets a near miss of a name right and lists that as a repair', () => {
    const { calls, issues } = parseToolCalls(call('functions.ReadFile'), { tools });
    expect(calls).toMatchObject([{ name: 'read_file', repairs: ['tool-name'] }]);
    expect(issues).toEqual([]);
  });

  test('leaves a call of a tool that was not offered in the text, with the nearest names', () => {
    const { calls, issues, text } = parseToolCalls(call('read_files'), { tools });
    expect(calls).toEqual([]);
    expect(text).toBe(call('read_files'));
    expect(issues).toMatchObject([
      {
        code: 'unknown-tool',
        message: 'there is no tool named "read_files"; did you mean read_file?',
      },
    ]);
  });

  test('keeps a call of a tool that was not offered where it is asked to', () => {
    const reported = parseToolCalls(call('read_files'), { tools, unknownTool: 'issue' });
    expect(reported.calls).toMatchObject([{ name: 'read_files', repairs: [] }]);
    expect(reported.issues).toMatchObject([{ code: 'unknown-tool' }]);
    const kept = parseToolCalls(call('read_files'), { tools, unknownTool: 'call' });
    expect(kept.calls).toMatchObject([{ name: 'read_files' }]);
    expect(kept.issues).toEqual([]);
  });

  test('leaves out only the calls of a block whose tools were not offered', () => {
    const text =
      '<tools>[{"name": "nope"}, {"name": "read_file", "arguments": {"path": "a"}}]</tools>';
    const { calls, issues } = parseToolCalls(text, { tools });
    expect(calls).toMatchObject([{ name: 'read_file', arguments: { path: 'a' } }]);
    expect(issues).toMatchObject([{ code: 'unknown-tool' }]);
  });

  test('tells the right name from the first event on', () => {
    const events: ParseEvent[] = [];
    const stream = createDefaultRegistry().createStream({
      tools,
      onEvent: (event) => events.push(event),
    });
    for (const character of call('ReadFile')) stream.feed(character);
    stream.end();
    expect(events[0]).toMatchObject({ type: 'call-start', name: 'read_file' });
  });
});

describe('limits', () => {
  test('count no bytes behind a call: a text longer than a call may be takes no longer for each', () => {
    const registry = createDefaultRegistry({ limits: { timeoutMs: 1_500 } });
    const text = `Let me look at it, and at the next. ${'é'.repeat(100)}\n${CALL}`.repeat(6_000);
    const { calls, issues } = registry.parse(text);
    expect(text.length).toBeGreaterThan(1_200_000);
    expect({ calls: calls.length, issues }).toEqual({ calls: 6_000, issues: [] });
  });

  test('give a call that is too large back as text, whole and streamed', () => {
    const registry = createDefaultRegistry({ limits: { maxCallBytes: 100 } });
    const text = `a <tool_call>{"name": "f", "arguments": {"x": "${'é'.repeat(40)}"}}</tool_call> b ${CALL}`;
    for (const chunks of [[text], text.match(/[\s\S]/g) ?? []]) {
      const told = readChunks(chunks, { registry });
      expect(told.calls).toMatchObject([{ name: 'ls' }]);
      expect(told.source).toBe(text);
      expect(told.issues).toMatchObject([{ code: 'call-too-large', offset: 2, parser: 'qwen' }]);
    }
  });

  test('keep all that comes in one chunk with the end of a call, or with what shows that it is none', () => {
    const rest = 'x'.repeat(1_000_000);
    for (const body of ['"name": "ls", "arguments": {}}>', '"name": ]']) {
      const text = `<{${body}${rest}`;
      expect(readChunks(cutAt(text, [2])).source.length).toBe(text.length);
    }
  });

  test('let what follows a message of the largest size pass as text, in any chunking', () => {
    const registry = createDefaultRegistry({ limits: { maxInputBytes: 200 } });
    const text = `${CALL} ${'ö'.repeat(60)} ${CALL} and ${CALL}`;
    const expected = readChunks([text], { registry });
    expect(expected.calls).toHaveLength(1);
    expect(expected.source).toBe(text);
    expect(expected.issues).toMatchObject([{ code: 'input-too-large' }]);
    for (const size of [1, 7, 64, 65, 190]) {
      const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      expect(readChunks(chunks, { registry }), `chunks of ${size}`).toEqual(expected);
    }
  });

  test('refuse a call that is nested too deep', () => {
    const nested = (depth: number): string =>
      `<tool_call>{"name": "f", "arguments": {"a": ${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}</tool_call>`;
    expect(parseToolCalls(nested(128)).calls).toHaveLength(1);
    for (const depth of [129, 10_000]) {
      for (const chunks of [[nested(depth)], cutAt(nested(depth), [40, 200, 900])]) {
        const told = readChunks(chunks);
        expect(told.calls).toEqual([]);
        expect(told.issues[0]?.code).toBe('call-too-deep');
        expect(told.source).toBe(nested(depth));
      }
    }
  });

  test('stop a feed that takes too long, in the words of the timeout, and go on with the next', () => {
    let now = 0;
    const slow = defineFormat({
      name: 'slow',
      open: '((',
      close: '))',
      body: () => {
        now += 10;
        return null;
      },
    });
    const registry = new ParserRegistry({ clock: { now: () => now } })
      .register(slow, 1)
      .register(defineFormat({ name: 'quick', open: '[[', close: ']]' }), 2);
    const events: ParseEvent[] = [];
    const stream = registry.createStream({ onEvent: (event) => events.push(event) });
    stream.feed('((x))'.repeat(40));
    stream.feed('[[{"name": "f"}]]');
    stream.end();
    const issues = events.flatMap((event) =>
      event.type === 'issue' && event.issue.code === 'parse-timeout' ? [event.issue] : [],
    );
    expect(issues.map(({ message }) => message)).toEqual([
      'Parse timeout exceeded: 150.0ms > 100ms',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'call-end', call: { name: 'f' } });
  });

  test('let a text with too many beginnings pass, the same in any chunking', () => {
    const flood = `${'{"tool_calls":['.repeat(400)}:`.repeat(4) + 'x'.repeat(300_000) + CALL;
    // The clock stands still: only the work budget decides.
    const options = { clock: { now: () => 0 } };
    const expected = readChunks([flood], options);
    expect(expected.issues.at(-1)?.code).toBe('work-budget-exceeded');
    expect(expected.source === flood).toBe(true);
    for (const size of [1_000, 4_096, 100_000]) {
      const chunks = flood.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      const told = readChunks(chunks, options);
      expect(told.issues, `chunks of ${size}`).toEqual(expected.issues);
      expect(told.source === flood).toBe(true);
      expect(told.calls).toEqual(expected.calls);
    }
  });

  test.each([
    ['a string that crosses the next opening', '[TOOL_CALLS]read_file[ARGS]{"path": "n'],
    ['a list that is never closed', '<|tools_prefix|>[{"read_file": {"path": "notes.md"}}'],
  ])('count what only the end of the text can decide: %s', (_, unit) => {
    const flood = unit.repeat(2_000);
    const options = { clock: { now: () => 0 } };
    const expected = readChunks([flood], options);
    expect(expected.issues.at(-1)?.code).toBe('work-budget-exceeded');
    expect(expected.source === flood).toBe(true);
    for (const size of [7, 1_000, 40_000]) {
      const chunks = flood.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      const told = readChunks(chunks, options);
      expect(told.issues, `chunks of ${size}`).toEqual(expected.issues);
      expect(told.source === flood).toBe(true);
      expect(told.calls.map(({ name }) => name)).toEqual(expected.calls.map(({ name }) => name));
    }
  });
});

describe('what a look rules out', () => {
  test.each([
    '[ x',
    '```json\nx\n',
    '>>>x y',
    '<tool_call> -x ',
    '<tool_call> [x]',
    '<tool_call>\n<x',
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke x',
  ])('costs the same where it arrives in pieces: a flood of %j', (piece) => {
    const flood = piece.repeat(Math.ceil(100_000 / piece.length)) + CALL;
    // The clock stands still: only the work budget decides.
    const options = { tools: [{ name: 'ls' }], clock: { now: () => 0 } };
    const expected = readChunks([flood], options);
    for (const size of [1, 7]) {
      const chunks = flood.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      const told = readChunks(chunks, options);
      expect(told.issues, `chunks of ${size}`).toEqual(expected.issues);
      expect(told.calls).toEqual(expected.calls);
      expect(told.text === expected.text).toBe(true);
    }
  });
});

describe('the source of a block', () => {
  test.each([
    ['whole behind its opening', ['<tool_call>', CALL.slice(11) + ' and', ' on']],
    ['in three pieces', [CALL.slice(0, 20), CALL.slice(20, 40), CALL.slice(40) + ' and on']],
    [
      'with nothing in its opening chunk',
      ['Look: ', '<tool_call>', ...Array.from(CALL.slice(11)), ' and on'],
    ],
    ['that no tool of the list has', ['<tool_call>', '{"name": "rm", "arguments": {}}', ' x']],
  ])('%s: none of it is lost', (_, chunks) => {
    const tools = [{ name: 'ls' }];
    expect(readChunks(chunks, { tools }).source).toBe(chunks.join(''));
    expect(readChunks(chunks, { tools }).text).toBe(
      parseToolCalls(chunks.join(''), { tools }).text,
    );
  });
});

test('a list that is broken is read once', () => {
  const call = '{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}';
  const text = `[${call}${call}{"name": "f", "arguments": {"a": 1}}`;
  const { calls, issues } = parseToolCalls(text);
  expect(calls.map((each) => each.arguments)).toEqual([{}, {}, { a: 1 }]);
  expect(issues).toEqual([]);
  expect(readChunks(text.split('')).calls).toHaveLength(3);
});

describe('a long text', () => {
  test.each([
    ['strings in strings', '<tools>', '[ "', '"",1}'],
    ['JSON that is no call, value after value', '', '{"name": ", "s":}{e', ''],
    ['calls inside something else', '', '{{"name": "f", "arguments": {"a": 1}}', ''],
    [
      'calls with a broken object behind each',
      '',
      '{"name": "f", "arguments": {}},\n  {"o both. ',
      '{"#name}, "i1"}',
    ],
    ['calls with half an object behind each', '', '{"name": "f", "arguments": {}}]{"pat', ''],
    ['calls with an object around the next', '', '{"name": "f", "arguments": {"a": 1}}{n', ''],
  ])('of %s is read once, and no parser throws', (_, before, unit, behind) => {
    const text = before + unit.repeat(200_000 / unit.length) + behind;
    const started = performance.now();
    const { issues, segments } = parseToolCalls(text, { clock: { now: () => 0 } });
    expect(performance.now() - started).toBeLessThan(1000);
    expect(issues.map(({ code }) => code)).not.toContain('parser-threw');
    expect(segments.map(({ raw }) => raw).join('') === text).toBe(true);
  });

  test('of records in JSON does not hide the call behind it', () => {
    const records = '{"type": "a", "id": 3, "text": "one of many records"}\n'.repeat(500);
    const { calls } = parseToolCalls(records + CALL, { clock: { now: () => 0 } });
    expect(calls).toMatchObject([{ name: 'ls' }]);
  });

  test('full of brackets does not hide the call behind it', () => {
    const table = JSON.stringify(Array.from({ length: 20_000 }, (_, row) => [row, { x: [row] }]));
    const text = `${table}\n${CALL}`;
    expect(parseToolCalls(text).calls).toHaveLength(1);
    expect(readChunks(text.match(/[\s\S]{1,50}/g) ?? []).calls).toHaveLength(1);
  });
});

describe('calls inside reasoning', () => {
  const thought = '<think>I could call <tool_call>{"name": "ls"}</tool_call> here.';
  const tellAll = (text: string): unknown[] => {
    const told: unknown[] = [];
    const stream = createDefaultRegistry().createStream({
      onEvent: (event) => told.push(event.type === 'text-delta' ? event.text : event.type),
    });
    for (const character of text) stream.feed(character);
    stream.end();
    return told;
  };

  test('are thoughts where the reasoning ends after them', () => {
    const result = parseToolCalls(`${thought}</think>Done.`);
    expect(result.calls).toEqual([]);
    expect(result.reasoning).toBe(thought.slice('<think>'.length));
    expect(result.text).toBe('Done.');
  });

  test('count where it never ends', () => {
    const result = parseToolCalls(thought);
    expect(result.calls).toMatchObject([{ name: 'ls' }]);
    expect(result.reasoning).toBe('I could call ');
    expect(result.text).toBe(' here.');
    expect(result.issues).toMatchObject([{ code: 'unclosed-reasoning' }]);
  });

  test('are told only when that is known', () => {
    expect(tellAll(thought)).toContain('call-end');
    expect(tellAll(`${thought}</think>Done.`)).not.toContain('call-start');
  });

  test('are left alone or read where it is asked to', () => {
    expect(parseToolCalls(thought, { callsInReasoning: 'ignore' }).calls).toEqual([]);
    const both = `${thought}</think>Done.`;
    expect(parseToolCalls(both, { callsInReasoning: 'read' }).calls).toHaveLength(1);
  });
});

describe('options', () => {
  test('that do not exist or cannot have their value are refused, naming both', () => {
    expect(() => parseToolCalls('', { reasoning: 'nope' as never })).toThrow(
      'reasoning: expected "separate" or "text", got "nope"',
    );
    expect(() => parseToolCalls('', { reasonning: 'text' } as never)).toThrow('got "reasonning"');
    expect(() => parseToolCalls('', { format: 'klingon' })).toThrow(
      /^format: expected one of qwen, openai, .*, fallback, got "klingon"$/,
    );
  });
});

describe('explain', () => {
  test('tells each parser tried, where, and what it decided', () => {
    const registry = new ParserRegistry()
      .register(new OpenAIToolParser(), 2)
      .register(new QwenToolParser(), 1);
    const text = `{a} <tool_call>x ${CALL.replace('}}', '},}')}`;
    const { explanation = [] } = registry.parse(text, { explain: true });
    const places = explanation.map(({ parser, offset }) => `${parser} ${offset}`);
    const first = explanation.filter((_, at) => places.indexOf(places[at] ?? '') === at);
    expect(first).toMatchObject([
      { parser: 'openai', offset: 0, opening: '{', decision: 'not-a-call' },
      {
        parser: 'qwen',
        offset: 4,
        opening: '<tool_call>',
        decision: 'not-a-call',
        detail: 'no JSON follows the opening',
      },
      { parser: 'qwen', offset: 17, decision: 'call', detail: 'ls', repairs: ['trailing-comma'] },
    ]);
  });

  test('is left out unless asked for', () => {
    expect(Object.keys(parseToolCalls(CALL))).not.toContain('explanation');
  });
});

describe('events', () => {
  test('tell a call as it is read, in fragments that add up to its arguments', () => {
    const events: ParseEvent[] = [];
    const stream = createDefaultRegistry().createStream({
      onEvent: (event) => events.push(event),
      nextId: () => 'id1',
    });
    for (const chunk of [
      'Hi. <tool',
      '_call>{"name": "w", "arguments": {"te',
      'xt": "one',
      ' two"}}',
      '</tool_call>',
    ])
      stream.feed(chunk);
    expect(events).toMatchObject([
      { type: 'text-delta', text: 'Hi. ' },
      { type: 'call-start', index: 0, id: 'id1', name: 'w', format: 'qwen' },
      { type: 'call-delta', index: 0, id: 'id1', fragment: '{"te' },
      { type: 'call-delta', fragment: 'xt": "one' },
      { type: 'call-delta', fragment: ' two"}' },
      { type: 'call-end', index: 0, call: { id: 'id1', arguments: { text: 'one two' } } },
    ]);
  });

  test('say when what began as a call turns out to be text', () => {
    const events: ParseEvent[] = [];
    const stream = createDefaultRegistry().createStream({
      onEvent: (event) => events.push(event),
      nextId: () => 'id1',
    });
    for (const chunk of ['<tool_call>{"name": "w", "arguments": {"a": 1', '}, "arguments": 5}'])
      stream.feed(chunk);
    stream.end();
    const types = events.map((event) => (event.type === 'issue' ? event.issue.code : event.type));
    expect(types).toEqual([
      'call-start',
      'call-delta',
      'call-delta',
      'unreadable-call',
      'call-abandoned',
      'text-delta',
    ]);
  });

  test('come out of a transform stream', async () => {
    const events: ParseEvent[] = [];
    const source = new ReadableStream<string>({
      start(controller) {
        for (const character of `a ${CALL}`) controller.enqueue(character);
        controller.close();
      },
    });
    for await (const event of source.pipeThrough(new ToolCallTransformStream())) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'call-end', call: { name: 'ls' } });
  });
});
