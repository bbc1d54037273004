import { createDefaultRegistry } from '@holdfast/core/parse';
import type { FormatParser } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import type { ChoiceOptions } from './choice-reader.ts';
import type { TurnEvent } from './turn-event.ts';
import { TurnReader } from './turn-reader.ts';
import type { UpstreamEvent } from './upstream-event.ts';

const TOOLS = [
  {
    name: 'read_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
      required: ['path'],
    },
  },
  { name: 'list' },
];
const CALL = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';

function reader(options: Partial<ChoiceOptions> = {}): TurnReader {
  let ids = 0;
  return new TurnReader({
    tools: TOOLS,
    model: 'm',
    registry: createDefaultRegistry(),
    callsInReasoning: 'if-unclosed',
    bareCalls: true,
    eager: false,
    nextId: () => `call_${++ids}`,
    ...options,
  });
}

const text = (value: string): UpstreamEvent => ({ type: 'text', choice: 0, text: value });
const stop: UpstreamEvent = { type: 'finish', choice: 0, reason: 'stop' };
const length: UpstreamEvent = { type: 'finish', choice: 0, reason: 'length' };
const done: UpstreamEvent = { type: 'done' };
const native = (
  slot: number,
  part: { id?: string; name?: string; json?: string },
): UpstreamEvent => ({ type: 'call-fragment', choice: 0, slot, ...part });

/** A turn as one line per event, text and reasoning joined. */
function tell(events: readonly TurnEvent[]): string[] {
  const lines: string[] = [];
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') {
      const before = lines.at(-1);
      if (before?.startsWith(`${event.type} `) === true) lines.splice(-1, 1, before + event.text);
      else if (event.text !== '') lines.push(`${event.type} ${event.text}`);
    } else if (event.type === 'call') {
      const { index, id, name, json } = event.call;
      lines.push(`call ${index} ${id} ${name} ${json}`);
    } else if (event.type === 'call-start') lines.push(`start ${event.index} ${event.name}`);
    else if (event.type === 'call-delta') lines.push(`delta ${event.index} ${event.json}`);
    else if (event.type === 'call-end') lines.push(`end ${event.index}`);
    else if (event.type === 'finish') lines.push(`finish ${event.reason}`);
    else if (event.type === 'error') lines.push(`error ${event.error.kind}`);
    else lines.push(event.type);
  }
  return lines;
}

function turn(events: readonly UpstreamEvent[], options?: Partial<ChoiceOptions>): string[] {
  const turnReader = reader(options);
  return tell([...events.flatMap((event) => turnReader.read([event])), ...turnReader.end()]);
}

describe('text', () => {
  test('passes as the very event it came in', () => {
    const event = text('Hello');
    expect(reader().read([event])[0]).toBe(event);
  });

  test('is withheld only where a call may begin', () => {
    const turnReader = reader();
    expect(tell(turnReader.read([text('a '), text('<tool')]))).toEqual(['text a ']);
    expect(tell(turnReader.read([text('box> b')]))).toEqual(['text <toolbox> b']);
  });

  test('becomes a call where it is one, and the turn ends for it', () => {
    expect(turn(Array.from(`Look: ${CALL}`).map(text).concat(stop, done))).toEqual([
      'text Look: ',
      'call 0 call_1 read_file {"path": "a.ts"}',
      'finish tool-calls',
      'done',
    ]);
  });

  test('stays text where the tool was not offered, or none was', () => {
    const other = CALL.replace('read_file', 'delete_all');
    expect(turn([text(other), stop])).toEqual([`text ${other}`, 'finish stop']);
    expect(turn([text(CALL), stop], { tools: [] })).toEqual([`text ${CALL}`, 'finish stop']);
  });

  test('in think tags is reasoning', () => {
    const events = [text('<think>hm</think>Hi'), stop];
    expect(turn(events)).toEqual(['reasoning hm', 'text Hi', 'finish stop']);
  });

  test('of a call is fitted to its schema', () => {
    const written = '<tool_call>{"name": "ReadFile", "arguments": {"path": "a", "lines": "3"}}';
    expect(turn([text(`${written}</tool_call>`), stop])).toEqual([
      'call 0 call_1 read_file {"path":"a","lines":3}',
      'finish tool-calls',
    ]);
  });
});

describe('an answer that is cut', () => {
  test.each([
    ['inside the arguments', CALL.slice(0, 50)],
    ['before the end marker', CALL.slice(0, -12)],
  ])('by its length %s has no call, and says so', (_, cut) => {
    expect(turn([text(cut), length])).toEqual([`text ${cut}`, 'finish length']);
  });

  test('by its upstream has no call, and ends in an error', () => {
    for (let at = 1; at < CALL.length; at++) {
      const told = turn([text(`Hi ${CALL.slice(0, at)}`)]);
      expect(told).toEqual([`text Hi ${CALL.slice(0, at)}`, 'error upstream']);
    }
  });

  test('keeps the calls that were whole before', () => {
    const options = { reasoningStart: { startsInReasoning: false, isAssumed: true } } as const;
    expect(turn([text(CALL + CALL.slice(0, 40)), length], options)).toEqual([
      'call 0 call_1 read_file {"path": "a.ts"}',
      `text ${CALL.slice(0, 40)}`,
      'finish length',
    ]);
  });

  test('has no call while its text may have begun in reasoning', () => {
    expect(turn([text(`Hm. ${CALL}\nOr`), length])).toEqual([
      `text Hm. ${CALL}\nOr`,
      'finish length',
    ]);
  });

  test('inside a native call has none', () => {
    const events = [native(0, { id: 'call_abc', name: 'read_file', json: '{"path": "a' })];
    expect(turn(events)).toEqual(['error upstream']);
    expect(turn([...events, length])).toEqual([
      'text {"name": "read_file", "arguments": {"path": "a}',
      'finish length',
    ]);
    expect(turn([native(0, { name: 'list' }), length]).at(-1)).toBe('finish length');
  });
});

describe('an upstream that says', () => {
  test('that this is all, and not why, has stopped', () => {
    expect(turn([text('Hi'), done])).toEqual(['text Hi', 'finish stop', 'done']);
  });

  test('only that this is all has stopped too', () => {
    expect(turn([done])).toEqual(['finish stop', 'done']);
  });

  test('nothing at all has failed', () => {
    expect(turn([])).toEqual(['error upstream']);
  });

  test('that something failed is believed, and nothing follows', () => {
    const error: UpstreamEvent = { type: 'error', error: { kind: 'overloaded', message: 'busy' } };
    expect(turn([text('Hi <tool_call>'), error, text('more'), stop])).toEqual([
      'text Hi <tool_call>',
      'error overloaded',
    ]);
  });

  test.each([
    ['falls silent', []],
    ['says that something failed', [{ type: 'error', error: { kind: 'upstream', message: 'x' } }]],
  ] as const)('why it has stopped, and then %s, has stopped', (_, after) => {
    const turnReader = reader();
    const failure = { kind: 'timeout', message: 'it went silent' } as const;
    const told = [text(`Hi ${CALL}`), stop, ...after].flatMap((event) => turnReader.read([event]));
    expect(tell([...told, ...turnReader.end(failure)])).toEqual([
      'text Hi ',
      'call 0 call_1 read_file {"path": "a.ts"}',
      'finish tool-calls',
    ]);
    expect(turnReader.notes.issues.map(({ code }) => code)).toContain('late-failure');
  });

  test('why one of two answers has stopped, and then falls silent, has failed', () => {
    const turnReader = reader();
    const told = [text('Hi'), stop, { type: 'text', choice: 1, text: 'H' } as const].flatMap(
      (event) => turnReader.read([event]),
    );
    const failure = { kind: 'timeout', message: 'it went silent' } as const;
    expect(tell([...told, ...turnReader.end(failure)]).at(-1)).toBe('error timeout');
  });

  test('tool calls where there are none has stopped', () => {
    expect(turn([text('Hi'), { type: 'finish', choice: 0, reason: 'tool-calls' }])).toEqual([
      'text Hi',
      'finish stop',
    ]);
  });
});

describe('native calls', () => {
  test('are told whole, with an id and arguments, one after the other', () => {
    const events = [
      native(0, { id: 'call_abc', name: 'read_file', json: '{"path":' }),
      native(0, { json: ' "a.ts"}' }),
      native(1, { name: 'list' }),
    ];
    expect(turn([...events, stop])).toEqual([
      'call 0 call_abc read_file {"path": "a.ts"}',
      'call 1 call_1 list {}',
      'finish tool-calls',
    ]);
  });

  test('come before what is said after them', () => {
    const events: UpstreamEvent[] = [
      native(0, { id: 'call_abc', name: 'list', json: '{}' }),
      text(''),
      { type: 'reasoning', choice: 0, text: 'And now?' },
      native(1, { id: 'call_def', name: 'read_file', json: '{"path": "a"' }),
      text('Hm.'),
      native(1, { json: '}' }),
    ];
    expect(turn([...events, stop])).toEqual([
      'call 0 call_abc list {}',
      'reasoning And now?',
      'text Hm.',
      'call 1 call_def read_file {"path": "a"}',
      'finish tool-calls',
    ]);
  });

  test('may come interleaved', () => {
    const events = [
      native(0, { name: 'read_file', json: '{"path"' }),
      native(1, { name: 'read_file', json: '{"path"' }),
      native(0, { json: ':"a"}' }),
      native(1, { json: ':"b"}' }),
    ];
    expect(turn([...events, stop])).toEqual([
      'call 0 call_1 read_file {"path":"a"}',
      'call 1 call_2 read_file {"path":"b"}',
      'finish tool-calls',
    ]);
  });

  test.each([
    ['broken JSON', "{'path': 'a.ts',}", '{"path":"a.ts"}'],
    ['JSON in a string', '"{\\"path\\": \\"a.ts\\"}"', '{"path": "a.ts"}'],
    ['a wrong type', '{"path": "a.ts", "lines": "7"}', '{"path":"a.ts","lines":7}'],
  ])('with %s are mended', (_, json, told) => {
    expect(turn([native(0, { name: 'Read_File', json }), stop])[0]).toBe(
      `call 0 call_1 read_file ${told}`,
    );
  });

  test('never share an id', () => {
    const events = [0, 1].map((slot) => native(slot, { id: 'call_same', name: 'list' }));
    const told = turn([...events, stop]);
    expect(told.slice(0, 2)).toEqual(['call 0 call_same list {}', 'call 1 call_1 list {}']);
  });

  test('that nobody can read are text', () => {
    expect(turn([native(0, { name: 'list', json: 'what?' }), stop])).toEqual([
      'text {"name": "list", "arguments": what?}',
      'finish stop',
    ]);
  });
});

describe('reasoning that the upstream told apart', () => {
  const thought: UpstreamEvent = { type: 'reasoning', choice: 0, text: `I need it. ${CALL}` };

  test('holds a call where nothing follows it', () => {
    expect(turn([thought, stop])).toEqual([
      `reasoning I need it. ${CALL}`,
      'call 0 call_1 read_file {"path": "a.ts"}',
      'finish tool-calls',
    ]);
  });

  test.each(createDefaultRegistry().list())(
    'holds the calls in $name that unclosed reasoning in the text holds',
    ({ parser }) => {
      const { sample } = parser as FormatParser;
      const calls = (event: UpstreamEvent, options: Partial<ChoiceOptions>): readonly string[] =>
        turn([event, stop], options).filter((line) => line.startsWith('call '));
      const written = `I could call:\n${sample}`;
      for (const callsInReasoning of ['if-unclosed', 'ignore', 'read'] as const)
        for (const bareCalls of [true, false]) {
          const options = { callsInReasoning, bareCalls };
          expect(
            calls({ type: 'reasoning', choice: 0, text: written }, options),
            JSON.stringify(options),
          ).toEqual(calls(text(`<think>${written}`), options));
        }
    },
  );

  test('is only a thought where an answer follows', () => {
    expect(turn([thought, text('No.'), stop]).slice(1)).toEqual(['text No.', 'finish stop']);
    expect(turn([thought, stop], { callsInReasoning: 'ignore' })[1]).toBe('finish stop');
  });
});

describe('eager mode', () => {
  test('ends in an error alone where a call was told that is none, whatever ends the turn', () => {
    const broken = native(0, { name: 'list', json: 'r' });
    for (const last of [stop, done])
      expect(turn([broken, last], { eager: true })).toEqual([
        'start 0 list',
        'delta 0 r',
        'error upstream',
      ]);
  });

  test('tells arguments while they are read', () => {
    const told = turn(Array.from(CALL).map(text).concat(stop), { eager: true });
    expect(told[0]).toBe('start 0 read_file');
    const json = told.filter((line) => line.startsWith('delta 0 ')).map((line) => line.slice(8));
    expect(JSON.parse(json.join(''))).toEqual({ path: 'a.ts' });
    expect(told.slice(-2)).toEqual(['end 0', 'finish tool-calls']);
  });

  test('ends in an error where a call that was begun is cut', () => {
    expect(
      turn(Array.from(CALL.slice(0, 60)).map(text).concat(length), { eager: true }).at(-1),
    ).toBe('error upstream');
    const events = [native(0, { name: 'list', json: '{"a' }), length];
    expect(turn(events, { eager: true }).at(-1)).toBe('error upstream');
  });

  test('tells native calls as they come', () => {
    const events = [native(0, { name: 'list', json: '{"a"' }), native(0, { json: ':1}' }), stop];
    expect(turn(events, { eager: true })).toEqual([
      'start 0 list',
      'delta 0 {"a"',
      'delta 0 :1}',
      'end 0',
      'finish tool-calls',
    ]);
  });
});

test('several answers at once are read each on their own', () => {
  const events: UpstreamEvent[] = Array.from(CALL).flatMap((text) => [
    { type: 'text', choice: 0, text },
    { type: 'text', choice: 1, text: '.' },
  ]);
  const finishes = [0, 1].map((choice) => ({ type: 'finish', choice, reason: 'stop' }) as const);
  const turnReader = reader();
  const told = turnReader.read([...events, ...finishes]);
  expect(told.filter(({ type }) => type === 'call')).toHaveLength(1);
  expect(told.slice(-2).map((event) => event.type === 'finish' && event.reason)).toEqual([
    'tool-calls',
    'stop',
  ]);
});
