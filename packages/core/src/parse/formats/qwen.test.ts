import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { QwenToolParser } from './qwen.ts';

describeFormat({
  parser: new QwenToolParser(),
  write: (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  endMarker: '\n</tool_call>',
  pieces: [
    '<tool_call>',
    '</tool_call>',
    '<tools>',
    '</tools>',
    '<function>',
    '</function>',
    '<{',
    '}>',
    '<tool_cal',
    '<tool_call>{',
    '<tool_call>{"a":"',
  ],
});

const BODY = '{"name": "read", "arguments": {"path": "a.md"}}';
const READ = { name: 'read', arguments: { path: 'a.md' }, format: 'qwen' };

describe('QwenToolParser', () => {
  test.each([
    ['tool_call', `<tool_call>${BODY}</tool_call>`],
    ['tools', `<tools>[${BODY}]</tools>`],
    ['function', `<function>${BODY}</function>`],
    ['bracket', `<${BODY}>`],
  ])('reads the spelling %s', (_name, text) => {
    const { calls, text: rest } = parseToolCalls(text);
    expect(calls).toMatchObject([{ ...READ, repairs: [] }]);
    expect(rest).toBe('');
    expect(new QwenToolParser().parse(`hm, ${text}`)).toMatchObject([READ]);
  });

  test.each(['tool', 'response', 'json', 'xml', 'JSON'])('reads a call in <%s>', (tag) => {
    const { calls, text } = parseToolCalls(`So: <${tag}>\n  ${BODY}\n</${tag}>`);
    expect(calls).toMatchObject([{ ...READ, repairs: [] }]);
    expect(text).toBe('So: ');
  });

  test.each([
    ['one call', `\`\`\`xml\n<tool_call>${BODY}</tool_call>\n\`\`\``, 1],
    ['another tag', `\`\`\`json\n\n  <function_call> ${BODY}\n  </function_call>\n\`\`\` `, 1],
    [
      'two calls',
      `\`\`\`\n<tool_call>${BODY}</tool_call>\n<tool_call>${BODY}</tool_call>\n\`\`\``,
      2,
    ],
  ])('takes a fence around %s', (_what, text, count) => {
    const result = parseToolCalls(text);
    expect(result.calls).toHaveLength(count);
    expect(result.calls[0]).toMatchObject({ ...READ, repairs: [] });
    expect(result.text.trim()).toBe('');
  });

  test('leaves a fence with more than calls in it as text, and reads the call', () => {
    const { calls, text } = parseToolCalls(
      `\`\`\`xml\n<a/>\n<tool_call>${BODY}</tool_call>\n\`\`\``,
    );
    expect(calls).toMatchObject([READ]);
    expect(text).toBe('```xml\n<a/>\n\n```');
  });

  test('reads a call whose closing tag was forgotten, and keeps the text behind it', () => {
    const { calls, text } = parseToolCalls(`<tool_call>${BODY}\nThat was it.`);
    expect(calls).toMatchObject([{ ...READ, repairs: ['missing-end-marker'] }]);
    expect(text).toBe('\nThat was it.');
  });

  test.each(['</read>', '</think>', '</tool>'])('takes %s for the closing tag', (closing) => {
    const { calls, text } = parseToolCalls(`<tool_call>${BODY}\n${closing}\nDone.`);
    expect(calls).toMatchObject([{ ...READ, repairs: ['missing-end-marker'] }]);
    expect(text).toBe('\nDone.');
  });

  test.each(['</tool_call>', '</read>', '</parameters>'])('reads YAML that %s ends', (closing) => {
    const text = `So:\n<tool_call>\nname: read\narguments:\n  path: a.md\n  lines: 20\n  tags:\n    - x\n${closing} Done.`;
    const result = parseToolCalls(text);
    expect(result.calls).toMatchObject([
      {
        name: 'read',
        arguments: { path: 'a.md', lines: 20, tags: ['x'] },
        repairs: closing === '</tool_call>' ? [] : ['missing-end-marker'],
      },
    ]);
    expect(result.text).toBe('So:\n Done.');
  });

  test('types the values of YAML by the schema of the tool', () => {
    const tools = [
      { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
    ];
    const text = '<tool_call>\nname: read\narguments:\n  path: 2024\n</tool_call>';
    expect(parseToolCalls(text, { tools }).calls[0]?.arguments).toEqual({ path: '2024' });
  });

  test('reads a call whose closing tag was cut', () => {
    const { calls, text } = parseToolCalls(`<tool_call>${BODY}</tool`);
    expect(calls).toMatchObject([{ ...READ, repairs: ['missing-end-marker'] }]);
    expect(text).toBe('');
  });

  test('reads the whole calls of a list that is cut', () => {
    const { calls, text } = parseToolCalls(`<tool_call>[${BODY}, {"name": "wri`);
    expect(calls).toMatchObject([{ ...READ, complete: true }]);
    expect(text).toBe(', {"name": "wri');
  });

  test('reads two spellings in one answer', () => {
    const { calls, text } = parseToolCalls(
      `<function>${BODY}</function>, then <tools>[${BODY}, ${BODY}]</tools>.`,
    );
    expect(calls).toHaveLength(3);
    expect(text).toBe(', then .');
  });

  test.each([
    [
      'a closing tag inside a string',
      '<tool_call>{"name":"w","arguments":{"c":"x </tool_call> y"}}</tool_call>',
      { c: 'x </tool_call> y' },
      [],
    ],
    [
      'a missing brace',
      '<tool_call>{"name":"w","arguments":{"c":"x"}</tool_call>',
      { c: 'x' },
      ['missing-brace'],
    ],
    [
      'a brace too many',
      '<tool_call>{"name":"w","arguments":{"c":"x"}}}</tool_call>',
      { c: 'x' },
      ['extra-brace'],
    ],
    [
      'content over several lines',
      '<tool_call>{"name":"w","arguments":{"c":"x\ny"}}</tool_call>',
      { c: 'x\ny' },
      ['raw-control-character'],
    ],
    [
      'escaped quotes',
      '<tool_call>{"name":"w","arguments":{"c":"say \\"hi\\""}}</tool_call>',
      { c: 'say "hi"' },
      [],
    ],
    [
      'unescaped quotes',
      '<tool_call>{"name":"w","arguments":{"c":"say "hi" now"}}</tool_call>',
      { c: 'say "hi" now' },
      ['inner-quotes'],
    ],
    [
      'a fence inside',
      '<tool_call>\n```json\n{"name":"w","arguments":{"c":"x"}}\n```\n</tool_call>',
      { c: 'x' },
      ['code-fence'],
    ],
    [
      'a missing closing tag at the end',
      '<tool_call>{"name":"w","arguments":{"c":"x"}}',
      { c: 'x' },
      ['missing-end-marker'],
    ],
    [
      'another closing tag',
      '<tool_call>{"name":"w","arguments":{"c":"x"}}</function>',
      { c: 'x' },
      ['missing-end-marker'],
    ],
    ['a > inside a string', '<{"name":"w","arguments":{"c":"a > b"}}>', { c: 'a > b' }, []],
    [
      'arguments written as a string',
      '<tool_call>{"name":"w","arguments":"{\\"c\\":\\"x\\"}"}</tool_call>',
      { c: 'x' },
      ['double-encoded'],
    ],
    [
      'arguments beside the name',
      '<tool_call>{"name":"w","c":"x"}</tool_call>',
      { c: 'x' },
      ['flat-arguments'],
    ],
    [
      'a lost quote before the closing tag',
      '<tool_call>{"name":"w","arguments":{"c":"x}}</tool_call>',
      { c: 'x' },
      ['missing-quote'],
    ],
  ])('reads %s', (_what, text, args, repairs) => {
    const result = parseToolCalls(text);
    expect(result.calls).toMatchObject([{ name: 'w', arguments: args, repairs }]);
    expect(result.text).toBe('');
  });

  test('reads the next call where the closing tag of the one before was forgotten', () => {
    const { calls, text } = parseToolCalls(`<tool_call>${BODY}\n<tool_call>${BODY}</tool_call>`);
    expect(calls.map(({ repairs }) => repairs)).toEqual([['missing-end-marker'], []]);
    expect(text).toBe('\n');
  });

  test('does not let a lost quote swallow the next call', () => {
    const { calls } = parseToolCalls(
      `<tool_call>{"name":"w","arguments":{"c":"x}}</tool_call><tool_call>${BODY}</tool_call>`,
    );
    expect(calls.map(({ name }) => name)).toEqual(['w', 'read']);
  });

  test.each([
    ['an empty body', '<tool_call></tool_call>', ['unreadable-call']],
    ['an empty list', '<tools>[]</tools>', ['unreadable-call']],
    [
      'a call that is cut off',
      '<tool_call>{"name": "w", "arguments": {"c": "x',
      ['incomplete-call'],
    ],
    ['a body that names no tool', '<tool_call>{"path": "a.md"}</tool_call>', ['unreadable-call']],
    [
      'arguments that are no object',
      '<tool_call>{"name": "w", "arguments": 5}</tool_call>',
      ['unreadable-call'],
    ],
    ['YAML that is no call', '<tool_call>\nname: f\nwhat?\n</tool_call>', ['unreadable-call']],
    ['YAML the text ends in', '<tool_call>\nname: f\narguments:\n  a: 1', ['incomplete-call']],
    ['half a tag', 'a <tool_cal', []],
    ['a tag in prose', 'Write <tool_call> first, and </tool_call> last.', []],
    ['an HTML-like tag', '<function>sum</function>', []],
    ['data in a tag', '<json>{"id": 7, "city": "Oslo"}</json>', []],
    ['a name without arguments in a tag for data', '<xml>{"name": "x"}</xml>', ['unreadable-call']],
    [
      'an echoed definition',
      '<tools>[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{}}}}]</tools>',
      ['unreadable-call'],
    ],
    [
      'an echoed definition without description',
      '<tools>{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}</tools>',
      ['unreadable-call'],
    ],
  ])('leaves %s as text', (_what, text, codes) => {
    const result = parseToolCalls(text);
    expect(result.calls).toEqual([]);
    expect(result.text).toBe(text);
    expect(result.issues.map(({ code }) => code)).toEqual(codes);
  });

  test('reads the inner call of nested tags and leaves the outer tags as text', () => {
    const { calls, text } = parseToolCalls(`<tools><tool_call>${BODY}</tool_call></tools>`);
    expect(calls).toMatchObject([READ]);
    expect(text).toBe('<tools></tools>');
  });

  test('returns a cut call marked incomplete when asked to', () => {
    const result = parseToolCalls('<tool_call>{"name": "w", "arguments": {"c": "x', {
      incompleteCalls: 'call',
    });
    expect(result.calls).toMatchObject([{ name: 'w', arguments: { c: 'x' }, complete: false }]);
  });
});
