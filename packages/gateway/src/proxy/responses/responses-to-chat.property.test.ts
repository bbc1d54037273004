import type { JsonObject } from '@holdfast/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import { responsesToChat } from './responses-to-chat.ts';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const id = fc.constantFrom('a', 'b', 'c', 'call_0', 'a_1', 'a_2', '');
/** Told apart from each other, and from all words of ours. */
const words = fc.integer({ min: 0, max: 1e9 }).map((number) => `§${number}§`);

const item: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'system', 'developer'),
    content: fc.oneof(words, fc.constant('')),
  }),
  fc.record({
    type: fc.constant('function_call'),
    call_id: id,
    name: fc.constant('f'),
    arguments: words.map((input) => JSON.stringify({ input })),
  }),
  fc.record({ type: fc.constant('function_call_output'), call_id: id, output: words }),
  fc.record({
    type: fc.constant('custom_tool_call'),
    call_id: id,
    name: fc.constant('p'),
    input: words,
  }),
  fc.record({
    type: fc.constant('custom_tool_call_output'),
    call_id: id,
    output: words.map((text) => [{ type: 'input_text', text }]),
  }),
  fc.record({ type: fc.constant('local_shell_call_output'), id, output: words }),
  fc.constantFrom<JsonObject>(
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'web_search_call', id: 'ws' },
    { type: 'brand_new' },
  ),
);

const conversation = fc.array(item, { maxLength: 24 });
const system = fc
  .boolean()
  .map((systemInTheMiddle) => ({ ...NORMALISE_DEFAULTS, systemInTheMiddle }));

function translated(input: readonly JsonObject[], rules = NORMALISE_DEFAULTS): readonly Message[] {
  const chat = responsesToChat({ model: 'm', input }, rules);
  if (!chat.ok) throw new Error(chat.error.message);
  return JSON.parse(JSON.stringify(chat.body['messages'])) as Message[];
}

test('every call is followed by its result and nothing else, and every result follows its call', () => {
  fc.assert(
    fc.property(conversation, system, (input, rules) => {
      let expected: string[] = [];
      for (const message of translated(input, rules)) {
        if (message.role === 'tool') {
          expect(message.tool_call_id).toBe(expected.shift());
          continue;
        }
        expect(expected).toEqual([]);
        expected = message.tool_calls?.map((call) => call.id) ?? [];
        expect(new Set(expected).size).toBe(expected.length);
      }
      expect(expected).toEqual([]);
    }),
  );
});

test('turns alternate, and only the first message is a system message', () => {
  fc.assert(
    fc.property(conversation, (input) => {
      const roles = translated(input).map(({ role }) => role);
      for (const [at, role] of roles.entries()) {
        if (role === 'system') expect(at).toBe(0);
        if (role === 'user' || role === 'assistant') expect(roles[at - 1]).not.toBe(role);
      }
    }),
  );
});

test('nothing that was said, asked for or returned is lost', () => {
  fc.assert(
    fc.property(conversation, system, (input, rules) => {
      const told = JSON.stringify(translated(input, rules));
      for (const text of JSON.stringify(input).match(/§\d+§/g) ?? []) expect(told).toContain(text);
    }),
  );
});
