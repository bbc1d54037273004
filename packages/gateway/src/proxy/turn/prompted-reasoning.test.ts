import { createDefaultRegistry } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import type { ChoiceOptions } from './choice-reader.ts';
import type { TurnEvent } from './turn-event.ts';
import { TurnReader } from './turn-reader.ts';
import type { UpstreamEvent } from './upstream-event.ts';

const CALL = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';

function reader(options: Partial<ChoiceOptions>): TurnReader {
  return new TurnReader({
    tools: [{ name: 'read_file' }],
    model: 'm',
    registry: createDefaultRegistry(),
    callsInReasoning: 'if-unclosed',
    bareCalls: true,
    eager: false,
    nextId: () => 'call_1',
    ...options,
  });
}

/** One line per event, text and reasoning joined. */
function tell(events: readonly TurnEvent[]): string[] {
  const lines: string[] = [];
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') {
      const before = lines.at(-1);
      if (before?.startsWith(`${event.type} `) === true) lines.splice(-1, 1, before + event.text);
      else if (event.text !== '') lines.push(`${event.type} ${event.text}`);
    } else if (event.type === 'call') lines.push(`call ${event.call.json}`);
    else if (event.type === 'finish') lines.push(`finish ${event.reason}`);
    else lines.push(event.type);
  }
  return lines;
}

const turn = (events: readonly UpstreamEvent[], options: Partial<ChoiceOptions> = {}): string[] =>
  tell(reader(options).read(events));

const text = (value: string): UpstreamEvent => ({ type: 'text', choice: 0, text: value });
const stop: UpstreamEvent = { type: 'finish', choice: 0, reason: 'stop' };
const length: UpstreamEvent = { type: 'finish', choice: 0, reason: 'length' };

describe('a call in an answer that may have begun in reasoning', () => {
  const thought: UpstreamEvent = { type: 'reasoning', choice: 0, text: 'Hm.' };
  const called = 'call {"path": "a.ts"}';
  const start = (
    startsInReasoning: boolean | 'auto',
    isAssumed = true,
  ): Partial<ChoiceOptions> => ({
    reasoningStart: { startsInReasoning, isAssumed },
  });

  test('is held until the answer ends', () => {
    expect(turn([text(`Hm. ${CALL}\nSo.`)])).toEqual(['text Hm. ']);
    expect(turn([text(`Hm. ${CALL}\nSo.`), stop])).toEqual([
      'text Hm. ',
      called,
      'text \nSo.',
      'finish tool-calls',
    ]);
  });

  test.each([
    ['reasoning that came apart', [thought, text(CALL)], {}],
    ['reasoning that came apart, later', [text('So: '), thought, text(CALL)], {}],
    ['reasoning that came apart, while held', [text(CALL), thought], {}],
    ['a reasoning block', [text(`<think>Hm.</think>${CALL}`)], {}],
    ['a model that begins outside', [text(CALL)], start(false)],
    ['reasoning that the prompt opened', [text(`Hm.</think>${CALL}`)], start(true)],
  ] as const)('is emitted at once after %s', (_, events, options) => {
    expect(turn(events, options)).toContain(called);
  });

  test('is emitted while it is read in eager mode', () => {
    expect(turn([text(CALL)], { eager: true })).toContain('call-end');
  });

  test.each([true, 'auto'] as const)('is reasoning where that ends after it: %s', (begins) => {
    expect(turn([text(`${CALL}\nNo.\n</think>Hi`), stop], start(begins))).toEqual([
      `reasoning ${CALL}\nNo.\n`,
      'text Hi',
      'finish stop',
    ]);
  });

  test('leaves text that was only assumed to be reasoning', () => {
    const said = [text('It is noon.'), stop];
    expect(turn(said, start(true))).toEqual([
      'reasoning It is noon.',
      'text It is noon.',
      'finish stop',
    ]);
    expect(turn(said, start(true, false))).toEqual(['reasoning It is noon.', 'finish stop']);
    expect(turn([text('It is noon.'), length], start(true))).toEqual([
      'reasoning It is noon.',
      'finish length',
    ]);
  });

  test('is no thought where the answer opens its reasoning itself', () => {
    for (const cut of [1, 3, 40]) {
      const said =
        `\n<think>Hm.</think>${CALL}\nDone.`.match(new RegExp(`[^]{1,${cut}}`, 'g')) ?? [];
      expect(turn([...said.map(text), stop], start(true))).toEqual([
        'text \n',
        'reasoning Hm.',
        called,
        'text \nDone.',
        'finish tool-calls',
      ]);
    }
    expect(turn([text('<thi'), stop], start(true)).slice(-2)).toEqual(['text <thi', 'finish stop']);
  });

  test('leaves text after reasoning that came apart', () => {
    for (const first of ['', '\n'])
      expect(
        turn([text(first), thought, text('It is noon.'), stop], start(true)).slice(-2),
      ).toEqual([`text ${first}It is noon.`, 'finish stop']);
  });
});
