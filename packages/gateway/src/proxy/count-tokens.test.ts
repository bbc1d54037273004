import { expect, test } from 'vitest';
import { countTokens } from './count-tokens.ts';

const count = (content: unknown): number =>
  countTokens({ messages: [{ role: 'user', content: content as string }] });

test('an empty request costs next to nothing', () => {
  expect(countTokens({})).toBe(3);
});

test('four letters are a token, and a message costs four more', () => {
  expect(count('abcdefgh')).toBe(3 + 4 + 2);
});

test('letters of other scripts cost more than those of English', () => {
  expect(count('日本語'.repeat(100))).toBeGreaterThan(count('abc'.repeat(100)));
});

test('everything the model reads is counted', () => {
  const long = 'x'.repeat(4000);
  const tools = [{ name: 'a', description: long, input_schema: { type: 'object', title: long } }];
  expect(countTokens({ system: [{ type: 'text', text: long }] })).toBe(1003);
  expect(countTokens({ tools })).toBeGreaterThan(2000);
  expect(count([{ type: 'tool_use', name: 'a', input: { path: long } }])).toBeGreaterThan(1000);
  expect(count([{ type: 'tool_result', content: [{ type: 'text', text: long }] }])).toBe(1011);
  expect(count([{ type: 'thinking', thinking: long }])).toBe(1007);
  expect(count([{ type: 'document', source: { type: 'text', data: long } }])).toBe(1007);
  expect(count([{ type: 'unheard_of', field: long }])).toBeGreaterThan(1000);
});

test('an image costs the same however many bytes it has', () => {
  const image = (data: string): object => ({ type: 'image', source: { type: 'base64', data } });
  expect(count([image('A')])).toBe(count([image('A'.repeat(100_000))]));
});

test.each([
  ['Chat', { messages: [{ role: 'user', content: 'abcdefgh' }] }, 9],
  ['Responses', { input: 'abcdefgh' }, 9],
  [
    'Responses',
    { input: [{ role: 'user', content: [{ type: 'input_text', text: 'abcdefgh' }] }] },
    9,
  ],
  ['Responses', { input: [{ type: 'function_call', name: 'read', arguments: '{}  ' }] }, 9],
  ['Responses', { input: [{ type: 'function_call_output', output: 'abcdefgh' }] }, 9],
  ['Chat', { tools: [{ type: 'function', function: { name: 'read', parameters: {} } }] }, 17],
  ['Responses', { tools: [{ type: 'function', name: 'read', parameters: {} }] }, 17],
])('counts the messages, calls and tools of %s', (_, body, tokens) => {
  expect(countTokens(body)).toBe(tokens);
});

test.each([{ type: 'image_url', image_url: { url: 'data:x' } }, { type: 'input_image' }])(
  'counts %j as an image',
  (part) => {
    expect(count([part])).toBe(count([{ type: 'image' }]));
  },
);
