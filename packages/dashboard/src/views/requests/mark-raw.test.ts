import { expect, test } from 'vitest';
import type { ToldPart } from '../../api/api-types.ts';
import { markRaw } from './mark-raw.ts';

const call: ToldPart = { kind: 'call', name: 'now', arguments: {}, repairs: [] };
const text = (told: string): ToldPart => ({ kind: 'text', text: told });

test('what stands between texts, where the client was told of a call, is that call', () => {
  const raw = 'I look.\n<tool_call>{}</tool_call>\nDone.';

  expect(markRaw(raw, [text('I look.\n'), call, text('\nDone.')])).toEqual([
    { kind: 'text', text: 'I look.' },
    { kind: 'text', text: '\n' },
    { kind: 'call', text: '<tool_call>{}</tool_call>', repairs: [] },
    { kind: 'text', text: '\n' },
    { kind: 'text', text: 'Done.' },
  ]);
});

test('all of it is the call where nothing else was told', () => {
  expect(markRaw('<tool_call>{}', [call])).toEqual([
    { kind: 'call', text: '<tool_call>{}', repairs: [] },
  ]);
});

test('a call is marked with what was mended in it, once', () => {
  const mended: ToldPart = { ...call, repairs: ['trailing-comma'] };

  expect(markRaw('[{},]', [mended, mended])).toEqual([
    { kind: 'call', text: '[{},]', repairs: ['trailing-comma'] },
  ]);
});

test('markup around reasoning is no call', () => {
  const told: readonly ToldPart[] = [{ kind: 'reasoning', text: 'hm' }, text('Hi.')];

  expect(markRaw('<think>hm</think>Hi.', told)).toEqual([
    { kind: 'text', text: '<think>' },
    { kind: 'reasoning', text: 'hm' },
    { kind: 'text', text: '</think>' },
    { kind: 'text', text: 'Hi.' },
  ]);
});

test.each([
  ['Hi.', []],
  ['Hi.', [text('not there')]],
  ['', [text('Hi.')]],
])('%j with %j loses nothing', (raw, told) => {
  expect(
    markRaw(raw, told)
      .map((span) => span.text)
      .join(''),
  ).toBe(raw);
});
