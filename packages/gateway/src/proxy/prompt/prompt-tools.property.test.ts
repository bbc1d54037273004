import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import { RENDER_FORMATS } from '@holdfast/core/parse';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listOf, objectOf } from '../json/json-fields.ts';
import { promptTools } from './prompt-tools.ts';

const TOOLS: readonly ToolDefinition[] = [
  { name: 'save', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
];

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

/** Words that no dialect writes in another way. */
const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/);
const content: fc.Arbitrary<JsonValue> = fc.oneof(
  words,
  words.map((text) => [{ type: 'text', text }, IMAGE]),
);

/** A step of a conversation: what the user says, or calls and their results. */
const step: fc.Arbitrary<readonly JsonObject[]> = fc.oneof(
  content.map((said) => [{ role: 'user', content: said }]),
  fc
    .record({ said: fc.option(words), results: fc.array(content, { minLength: 1, maxLength: 3 }) })
    .map(({ said, results }) => [
      {
        role: 'assistant',
        content: said,
        reasoning_content: 'hm',
        tool_calls: results.map((_, at) => ({
          id: `call_${at}`,
          type: 'function',
          function: { name: 'save', arguments: JSON.stringify({ text: `number ${at}` }) },
        })),
      },
      ...results.map((result, at) => ({
        role: 'tool',
        tool_call_id: `call_${at}`,
        content: result,
      })),
    ]),
);
const conversation = fc.array(step, { minLength: 1, maxLength: 6 });
const format = fc.constantFrom(...RENDER_FORMATS);

function told(messages: readonly JsonObject[], dialect: string): readonly JsonObject[] {
  const { body } = promptTools({ messages }, TOOLS, { model: 'm', format: dialect });
  return listOf(body['messages']).map(objectOf);
}

const textsOf = (said: JsonValue | undefined): readonly string[] =>
  typeof said === 'string'
    ? [said]
    : listOf(said).flatMap((part) => {
        const { text } = objectOf(part);
        return typeof text === 'string' ? [text] : [];
      });

describe('any conversation', () => {
  test('is told in full, in its order, with nothing of tools but text', () => {
    fc.assert(
      fc.property(conversation, format, (steps, dialect) => {
        const messages = steps.flat();
        const out = told(messages, dialect);
        const all = out.flatMap(({ content: said }) => textsOf(said)).join('\n');
        let at = 0;
        for (const text of messages.flatMap(({ content: said }) => textsOf(said))) {
          at = all.indexOf(text, at);
          expect(at).toBeGreaterThanOrEqual(0);
        }
        const images = (list: readonly JsonObject[]): number =>
          JSON.stringify(list).split('"image_url":').length;
        expect(images(out)).toBe(images(messages));
        for (const message of out) {
          expect(['system', 'user', 'assistant']).toContain(message['role']);
          expect(Object.keys(message)).toEqual(['role', 'content']);
        }
      }),
    );
  });

  test('has no results and words of the user in two messages in a row', () => {
    fc.assert(
      fc.property(conversation, format, (steps, dialect) => {
        const messages = steps.flat();
        const roles = told(messages, dialect).map(({ role }) => role);
        const inRow = messages.filter(
          ({ role }, at) => role === 'user' && (at === 0 || messages[at - 1]?.['role'] === 'user'),
        );
        const userRuns = roles.filter((role, at) => role === 'user' && roles[at - 1] === 'user');
        // What the client itself sent in a row behind no result is left as it is.
        expect(userRuns.length).toBeLessThanOrEqual(inRow.length);
        if (inRow.length === 0) expect(userRuns).toEqual([]);
      }),
    );
  });

  test('is told with the same messages so far when it goes on', () => {
    fc.assert(
      fc.property(conversation, format, (steps, dialect) => {
        const whole = told(steps.flat(), dialect);
        for (let count = 1; count < steps.length; count++) {
          const sofar = told(steps.slice(0, count).flat(), dialect);
          // The last one may be joined by what the user says next.
          expect(whole.slice(0, sofar.length - 1)).toEqual(sofar.slice(0, -1));
        }
      }),
    );
  });
});
