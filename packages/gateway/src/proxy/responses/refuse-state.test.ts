import type { JsonObject } from '@holdfast/core';
import { expect, test } from 'vitest';
import { refuseState } from './refuse-state.ts';

const hi = { role: 'user', content: 'Hi' };

test.each<[string, JsonObject, string]>([
  ['an earlier answer', { previous_response_id: 'resp_1' }, 'previous_response_id'],
  ['a conversation', { conversation: 'conv_1' }, 'conversation'],
  ['a conversation by its object', { conversation: { id: 'conv_1' } }, 'conversation'],
  ['a stored prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
  ['an answer that is fetched later', { background: true }, 'background'],
  ['an item by its id', { input: [hi, { type: 'item_reference', id: 'msg_1' }] }, 'input[1]'],
  ['an item by its id alone', { input: [hi, { id: 'msg_1' }] }, 'input[1]'],
  ['an item whose type is null', { input: [{ id: 'msg_1', type: null }] }, 'input[0]'],
])('%s is refused, naming the field', (_, more, param) => {
  const refused = refuseState({ model: 'm', input: [hi], ...more });
  expect(refused?.error).toMatchObject({
    kind: 'invalid-request',
    details: { param, code: 'unsupported_parameter' },
  });
  expect(refused?.error.message).toMatch(new RegExp(`^${param.replace(/[[\]]/g, '\\$&')}: `));
  expect(refused?.error.message).toMatch(/not (?:kept|known) here/);
});

test('an SDK that refers to items is told how to send them', () => {
  const refused = refuseState({ input: [{ type: 'item_reference', id: 'rs_1' }] });
  expect(refused?.error.message).toContain('store: false');
});

test.each<[string, JsonObject]>([
  ['nothing of the kind', {}],
  ['null', { previous_response_id: null, conversation: null, prompt: null, background: null }],
  ['false', { background: false }],
  ['the wish to have it stored, which nobody relies on', { store: true }],
  [
    'a message with an id',
    { input: [{ id: 'msg_1', type: 'message', role: 'user', content: '' }] },
  ],
])('%s is no reason to refuse', (_, more) => {
  expect(refuseState({ model: 'm', input: [hi], ...more })).toBeUndefined();
});
