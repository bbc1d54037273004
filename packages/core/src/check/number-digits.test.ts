import { describe, expect, test } from 'vitest';
import { parseToolCalls } from '../parse/parse-tool-calls.ts';
import { checkToolCall } from './check-tool-call.ts';

const DIGITS = '9007199254740993';
const LONG = '123456789012345678901234567890';

const tool = (properties: object, required: readonly string[] = []) => ({
  name: 'pay',
  parameters: { type: 'object', properties: properties as Record<string, never>, required },
});

function check(args: string, properties: object) {
  const { calls } = parseToolCalls(`<tool_call>{"name":"pay","arguments":${args}}</tool_call>`);
  const [call] = calls;
  if (call === undefined) throw new Error('no call was read');
  return checkToolCall(call, [tool(properties, Object.keys(properties).slice(0, 1))]);
}

const string = { type: 'string' };
const integer = { type: 'integer' };

describe('a number where the schema says string', () => {
  test.each([DIGITS, LONG, `-${LONG}`, '1.10', '1e400', '7'])('becomes %s', (digits) => {
    const checked = check(`{"to": ${digits}}`, { to: string });
    expect(checked).toMatchObject({ ok: true, call: { arguments: { to: digits } } });
    expect(checked.ok && checked.call).not.toHaveProperty('argumentsText');
  });

  test.each([
    [
      'in lists',
      `{"ids": [${DIGITS}, 9007199254740992]}`,
      { ids: { type: 'array', items: string } },
    ],
    ['alone for a list', `{"ids": ${DIGITS}}`, { ids: { type: 'array', items: string } }],
    ['with space before the keys', `{ "other" : 1,\n "ids" : ${DIGITS} }`, { ids: string }],
    ['under another spelling', `{"Ids": ${DIGITS}}`, { ids: string }],
    [
      'in one of several schemas',
      `{"ids": ${DIGITS}}`,
      { ids: { anyOf: [string, { type: 'null' }] } },
    ],
  ])('keeps its digits %s', (_, args, properties) => {
    const checked = check(args, properties);
    expect(JSON.stringify(checked.ok && checked.call.arguments)).toContain(`"${DIGITS}"`);
  });
});

describe('a number where the schema says number', () => {
  test('leaves the call as it is, with its text', () => {
    const checked = check(`{"to": ${DIGITS}}`, { to: integer });
    expect(checked).toMatchObject({ ok: true, repairs: [] });
    expect(checked.ok && checked.call.argumentsText).toBe(`{"to": ${DIGITS}}`);
  });

  test('is named where other arguments had to be changed, so that its digits are lost', () => {
    const checked = check(`{"to": ${DIGITS}, "times": "2"}`, { to: integer, times: integer });
    expect(checked).toMatchObject({ ok: false, issues: [{ path: ['to'] }] });
    expect(!checked.ok && checked.message).toContain('to: expected');
  });

  test('does not keep other arguments from being changed where it is small', () => {
    const checked = check('{"to": 7, "times": "2"}', { to: integer, times: integer });
    expect(checked).toMatchObject({ ok: true, call: { arguments: { to: 7, times: 2 } } });
  });
});

test('keeps the text where only the name of the tool was changed', () => {
  const call = { name: 'Pay', arguments: { to: 1 }, argumentsText: '{"to": 1.0}' };
  const checked = checkToolCall(call, [tool({ to: integer })]);
  expect(checked).toMatchObject({ ok: true, call: { name: 'pay', argumentsText: '{"to": 1.0}' } });
});
