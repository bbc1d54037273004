import { describe, expect, it } from 'vitest';
import { AnswerReader } from '../packages/core/src/adapters/reading/answer-reader.ts';
import type { AnswerEvent } from '../packages/core/src/adapters/reading/answer-reader.ts';
import type { MendOptions } from '../packages/core/src/adapters/reading/mend-options.ts';
import { SAMPLE_TOOLS, sampleCalls } from './support/sample-calls.ts';

const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);

/** The calls of an answer, without their ids. */
function callsIn(options: MendOptions, say: (reader: AnswerReader) => void): readonly object[] {
  const events: AnswerEvent[] = [];
  const context = { tools, model: 'm', requiresJson: false };
  const reader = new AnswerReader(context, options, (event) => events.push(event));
  say(reader);
  reader.end(false);
  return events.flatMap((event) =>
    event.type === 'call' ? [{ name: event.call.name, json: event.call.json }] : [],
  );
}

describe.each(sampleCalls())('an answer that may begin in reasoning, with $dialect', ({ text }) => {
  const considered = `I could call:\n${text}\nBut no.\n</think>\nHi`;
  const calls = callsIn({}, (reader) => reader.readText(text));

  it('has no call that was only considered', () => {
    expect(callsIn({}, (reader) => reader.readText(considered))).toEqual([]);
    expect(
      callsIn({ startsInReasoning: false }, (reader) => reader.readText(considered)).length,
    ).toBe(calls.length);
  });

  it('does not end in a call where text names a tool after it', () => {
    const names = tools.map(({ name }) => name).join(', ');
    const context = { tools, model: 'm', requiresJson: false };
    const endsInCall = (after: string): boolean => {
      const reader = new AnswerReader(context, {}, () => undefined);
      reader.readText(text + after);
      reader.end(false);
      return reader.endsInCall;
    };
    expect(endsInCall(`\n\nThat was one of ${names}.`)).toBe(false);
    expect(endsInCall(`\n\n<tool_call>{"name": "${tools[0]?.name ?? ''}", "arg`)).toBe(true);
  });

  it('emits its calls at once where the server sends reasoning apart', () => {
    const events: AnswerEvent[] = [];
    const context = { tools, model: 'm', requiresJson: false };
    const reader = new AnswerReader(context, {}, (event) => events.push(event));
    reader.noteReasoning('Hm.');
    reader.readText(`${text}\n\nOne moment. `);
    expect(events.filter(({ type }) => type === 'call')).toHaveLength(calls.length);
  });
});

describe.each(sampleCalls())(
  'reasoning that a server told apart, with $dialect in it',
  (sample) => {
    it.each(['if-unclosed', 'ignore', 'read'] as const)(
      'holds the calls that unclosed reasoning in the text holds, calls %s',
      (callsInReasoning) => {
        const written = `I could call:\n${sample.text}`;
        for (const bareCalls of [true, false]) {
          const options = { callsInReasoning, bareCalls };
          const apart = callsIn(options, (reader) => reader.noteReasoning(written));
          const inText = callsIn(options, (reader) => reader.readText(`<think>${written}`));
          expect(apart, JSON.stringify(options)).toEqual(inText);
        }
      },
    );
  },
);
