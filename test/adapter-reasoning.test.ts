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
