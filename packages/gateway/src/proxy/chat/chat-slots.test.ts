import type { JsonValue } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { ChatSlots } from './chat-slots.ts';

type Deltas = readonly JsonValue[];

/** What the fragments add up to, by slot: id, name and arguments. */
function assemble(events: readonly UpstreamEvent[]): string[] {
  const calls: { id: string; name: string; json: string }[] = [];
  for (const event of events) {
    if (event.type !== 'call-fragment') continue;
    const call = (calls[event.slot] ??= { id: '', name: '', json: '' });
    // Told once each, so that adding up cannot double anything.
    call.id += event.id ?? '';
    call.name += event.name ?? '';
    call.json += event.json ?? '';
  }
  return calls.map(({ id, name, json }) => `${id} ${name} ${json}`.trim());
}

function read(deltas: Deltas): UpstreamEvent[] {
  const slots = new ChatSlots(0);
  const out: UpstreamEvent[] = [];
  for (const delta of deltas) slots.read(delta, out);
  slots.flush(out);
  return out;
}

const type = 'function';
const part = (index: number, args: string): JsonValue => ({ index, function: { arguments: args } });
const whole = (name: string, args: JsonValue): JsonValue => ({ name, arguments: args });

const CASES: readonly (readonly [string, Deltas, readonly string[]])[] = [
  [
    'a call in pieces',
    [[{ index: 0, id: 'a', type, function: whole('f', '') }], [part(0, '{"x"')], [part(0, ':1}')]],
    ['a f {"x":1}'],
  ],
  ['a whole call at once', [[{ index: 0, id: 'a', function: whole('f', '{}') }]], ['a f {}']],
  [
    'calls without an index, in one list',
    [
      [
        { id: 'a', function: whole('f', '{}') },
        { id: 'b', function: whole('g', '{}') },
      ],
    ],
    ['a f {}', 'b g {}'],
  ],
  [
    'calls without an index, one after the other',
    [
      [{ id: 'a', function: whole('f', '{"x"') }],
      [{ function: { arguments: ':1}' } }],
      [{ id: 'b', function: whole('g', '') }],
      [{ function: { arguments: '{}' } }],
    ],
    ['a f {"x":1}', 'b g {}'],
  ],
  [
    'calls without index and id, whole',
    [[{ function: whole('f', '{"x":1}') }], [{ function: whole('f', '{"x":2}') }]],
    ['f {"x":1}', 'f {"x":2}'],
  ],
  [
    'calls without index, id and arguments, whole',
    [[{ function: whole('f', {}) }], [{ function: whole('g', {}) }]],
    ['f', 'g'],
  ],
  [
    'calls without index and id, in one list',
    [[{ function: whole('f', '') }, { function: whole('f', '') }]],
    ['f', 'f'],
  ],
  [
    'an index that begins at 1',
    [
      [{ index: 1, id: 'a', function: whole('f', '{}') }],
      [{ index: 2, id: 'b', function: whole('g', '{}') }],
    ],
    ['a f {}', 'b g {}'],
  ],
  [
    'all calls on index 0, in pieces',
    [
      [{ index: 0, id: 'a', function: whole('f', '') }],
      [part(0, '{"x":1}')],
      [{ index: 0, id: 'b', function: whole('g', '') }],
      [part(0, '{"y"')],
      [part(0, ':2}')],
    ],
    ['a f {"x":1}', 'b g {"y":2}'],
  ],
  [
    'all calls on index 0 without ids, whole',
    [
      [{ index: 0, function: whole('f', '{"x":1}') }],
      [{ index: 0, function: whole('f', '{"x":1}') }],
    ],
    ['f {"x":1}', 'f {"x":1}'],
  ],
  [
    'another name on the index of a call that was never closed',
    [[{ index: 0, function: whole('f', '{"x":') }], [{ index: 0, function: whole('g', '{}') }]],
    ['f {"x":', 'g {}'],
  ],
  [
    'index 0 again, with the id of an earlier call',
    [
      [{ index: 0, id: 'a', function: whole('f', '{"x"') }],
      [{ index: 0, id: 'b', function: whole('g', '{"y"') }],
      [{ index: 0, id: 'a', function: { arguments: ':1}' } }],
      [{ index: 0, id: 'b', function: { arguments: ':2}' } }],
    ],
    ['a f {"x":1}', 'b g {"y":2}'],
  ],
  [
    'interleaved indexes',
    [
      [{ index: 0, id: 'a', function: whole('f', '{') }],
      [{ index: 1, id: 'b', function: whole('g', '{') }],
      [part(0, '"x":1'), part(1, '"y":2')],
      [part(1, '}'), part(0, '}')],
    ],
    ['a f {"x":1}', 'b g {"y":2}'],
  ],
  [
    'one id for two indexes',
    [
      [{ index: 0, id: 'a', function: whole('f', '{"x"') }],
      [{ index: 1, id: 'a', function: whole('g', '{"y"') }],
      [{ index: 1, id: 'a', function: { arguments: ':2}' } }],
      [{ index: 0, id: 'a', function: { arguments: ':1}' } }],
    ],
    ['a f {"x":1}', 'a g {"y":2}'],
  ],
  [
    'id and name repeated in every chunk',
    [
      [{ index: 0, id: 'a', function: whole('f', '') }],
      [{ index: 0, id: 'a', function: whole('f', '{"x"') }],
      [{ index: 0, id: 'a', function: whole('f', ':1}') }],
    ],
    ['a f {"x":1}'],
  ],
  [
    'id and name empty or null in later chunks',
    [
      [{ index: 0, id: 'a', function: whole('f', '{') }],
      [{ index: 0, id: '', function: { name: '', arguments: '"x":' } }],
      [{ index: 0, id: null, function: { name: null, arguments: '1}' } }],
    ],
    ['a f {"x":1}'],
  ],
  [
    'a new id in every chunk',
    [
      [{ index: 0, id: 'a', function: whole('f', '{"x"') }],
      [{ index: 0, id: 'b', function: { arguments: ':1}' } }],
    ],
    ['a f {"x":1}'],
  ],
  [
    'an id that comes later',
    [[{ index: 0, function: whole('f', '{') }], [{ index: 0, id: 'a', function: whole('f', '}') }]],
    ['a f {}'],
  ],
  [
    'a name in pieces',
    [
      [{ index: 0, id: 'a', function: { name: 'get_' } }],
      [{ index: 0, function: { name: 'weather' } }],
      [part(0, '{}')],
    ],
    ['a get_weather {}'],
  ],
  [
    'a name told from the beginning each time',
    [
      [{ index: 0, id: 'a', function: { name: 'get_' } }],
      [{ index: 0, function: { name: 'get_weather' } }],
      [part(0, '{}')],
    ],
    ['a get_weather {}'],
  ],
  [
    'arguments as an object',
    [[{ index: 0, id: 'a', function: whole('f', { x: [1] }) }]],
    ['a f {"x":[1]}'],
  ],
  [
    'an empty object before the arguments',
    [[{ index: 0, id: 'a', function: whole('f', {}) }], [part(0, '{"x":1}')]],
    ['a f {"x":1}'],
  ],
  ['empty arguments', [[{ index: 0, id: 'a', function: whole('f', '') }]], ['a f']],
  ['no arguments', [[{ index: 0, id: 'a', function: { name: 'f' } }]], ['a f']],
  ['arguments that are null', [[{ index: 0, id: 'a', function: whole('f', null) }]], ['a f']],
  [
    'arguments before the name',
    [[part(0, '{')], [{ index: 0, id: 'a', function: { name: 'f' } }], [part(0, '}')]],
    ['a f {}'],
  ],
  ['a call without `function`', [[{ index: 0, id: 'a', name: 'f', arguments: '{}' }]], ['a f {}']],
  ['an id that is a number', [[{ index: 0, id: 7, function: whole('f', '{}') }]], ['7 f {}']],
  [
    'an index that is a string',
    [[{ index: '0', id: 'a', function: whole('f', '{') }], [part(0, '}')]],
    ['a f {}'],
  ],
  [
    'the whole call again at the end',
    [
      [{ index: 0, id: 'a', function: whole('f', '{"x"') }],
      [part(0, ':1}')],
      [{ index: 0, id: 'a', function: whole('f', '{"x":1}') }],
    ],
    ['a f {"x":1}'],
  ],
  [
    'two calls with one id and one index',
    [
      [{ index: 0, id: 'a', function: whole('f', '{"x":1}') }],
      [{ index: 0, id: 'a', function: whole('f', '{"x":2}') }],
    ],
    ['a f {"x":1}', 'a f {"x":2}'],
  ],
  ['no calls', [[], null, 'odd', [null, 3]], []],
];

describe('ChatSlots', () => {
  test.each(CASES)('reads %s', (_, deltas, calls) => {
    expect(assemble(read(deltas))).toEqual(calls);
  });

  test('begins a call at once, and holds back its name until it is whole', () => {
    const slots = new ChatSlots(2);
    const out: UpstreamEvent[] = [];
    slots.read([{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }], out);
    expect(out).toEqual([{ type: 'call-fragment', choice: 2, slot: 0, id: 'a' }]);
    slots.read([part(0, '{')], out);
    expect(out[1]).toEqual({ type: 'call-fragment', choice: 2, slot: 0, name: 'f', json: '{' });
  });

  test('reads the older function_call', () => {
    const slots = new ChatSlots(0);
    const out: UpstreamEvent[] = [];
    slots.readLegacy({ name: 'f', arguments: '' }, out);
    slots.readLegacy({ arguments: '{"x"' }, out);
    slots.readLegacy({ arguments: ':1}' }, out);
    expect(assemble(out)).toEqual(['f {"x":1}']);
  });

  test('passes calls of custom tools on, each under its own number', () => {
    const custom = { name: 'patch', input: '' };
    const out = read([
      [{ index: 1, id: 'a', type: 'custom', custom }],
      [{ index: 1, custom: { input: '*** Begin' } }],
      [{ index: 2, id: 'b', type: 'custom', custom }],
    ]);
    expect(out).toEqual([
      {
        type: 'opaque',
        choice: 0,
        call: { tool: 'patch', text: 'patch: ' },
        content: { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom }] },
      },
      {
        type: 'opaque',
        choice: 0,
        call: { tool: 'patch', text: '*** Begin' },
        content: { tool_calls: [{ index: 0, custom: { input: '*** Begin' } }] },
      },
      {
        type: 'opaque',
        choice: 0,
        call: { tool: 'patch', text: 'patch: ' },
        content: { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom }] },
      },
    ]);
  });

  test('knows whether all arguments are there', () => {
    const slots = new ChatSlots(0);
    expect(slots.areAllClosed).toBe(true);
    slots.read([{ index: 0, id: 'a', function: whole('f', '{"x": "\\"}') }], []);
    expect(slots.areAllClosed).toBe(false);
    slots.read([part(0, '"}')], []);
    expect(slots.areAllClosed).toBe(true);
  });

  test('tells many calls apart in time that grows no faster than they do', () => {
    const calls = Array.from({ length: 20_000 }, (_, at) => ({
      index: 0,
      id: `call_${at}`,
      function: whole('f', '{}'),
    }));
    const began = performance.now();
    expect(assemble(read([calls]))).toHaveLength(20_000);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
