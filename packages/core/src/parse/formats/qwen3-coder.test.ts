import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { JsonValue, ToolDefinition } from '../../types.ts';
import { qwen3Coder } from './qwen3-coder.ts';

const text = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const call = (name: string, args: Readonly<Record<string, JsonValue>>): string => {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter=${key}>\n${text(value)}\n</parameter>\n`,
  );
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
};

describeFormat({
  parser: qwen3Coder,
  write: call,
  endMarker: '\n</tool_call>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Record<string, JsonValue>>,
  pieces: [
    '<tool_call>',
    '</tool_call>',
    '<function=f>',
    '< function = "f" >',
    '</function>',
    '<parameter=a>',
    '<parameter=b>',
    '</parameter>',
    '</ parameter >',
    '<parameter',
    '<function',
    '<parameter>k</parameter>',
    '<![CDATA[',
    ']]>',
    '<value>',
    '</value>',
    '<function=f><parameter=a>',
    '<tool_call><function=f><parameter=a>x',
  ],
});

const tools: readonly ToolDefinition[] = [
  {
    name: 'search',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer' },
        tags: { type: 'array' },
      },
    },
  },
  { name: 'now', parameters: { type: 'object', properties: {} } },
];
const registry = new ParserRegistry().register(qwen3Coder, 50);
const read = (input: string) => {
  const { calls, text: rest } = parseToolCalls(input, { registry, tools });
  return { calls: calls.map((one) => [one.name, one.arguments]), text: rest };
};
const found = [['search', { query: 'tea', limit: 5 }]];

describe('what models get wrong about functions and parameters', () => {
  it.each([
    [
      'no block around it',
      '<function=search><parameter=query>tea</parameter><parameter=limit>5</parameter></function>',
    ],
    [
      'no opening tag of the block',
      '<function=search><parameter=query>tea</parameter><parameter=limit>5</parameter></function>\n</tool_call>',
    ],
    [
      'no end of a parameter',
      '<tool_call><function=search><parameter=query>tea<parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      'no end of the last parameter',
      '<tool_call><function=search><parameter=query>tea</parameter><parameter=limit>5</function></tool_call>',
    ],
    [
      'no end of the function',
      '<tool_call><function=search><parameter=query>tea</parameter><parameter=limit>5</parameter></tool_call>',
    ],
    [
      'no end but that of the block',
      '<tool_call><function=search><parameter=query>tea</parameter><parameter=limit>5</tool_call>',
    ],
    [
      'spaces in tags',
      '<tool_call>< function = search >< parameter = query >tea</ parameter >< parameter = limit >5</ parameter ></ function ></tool_call>',
    ],
    [
      'quotes around names',
      `<tool_call><function="search"><parameter='query'>tea</parameter><parameter="limit">5</parameter></function></tool_call>`,
    ],
    [
      'names as attributes',
      '<tool_call><function name="search"><parameter name="query">tea</parameter><parameter name="limit">5</parameter></function></tool_call>',
    ],
    [
      'the name as content',
      '<tool_call><function>search</function><parameter=query>tea</parameter><parameter=limit>5</parameter></tool_call>',
    ],
    [
      'the keys as content',
      '<tool_call><function=search><parameter>query</parameter>tea<parameter>limit</parameter>5</function></tool_call>',
    ],
    [
      '<call=',
      '<tool_call><call=search><parameter=query>tea</parameter><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      '<tool=',
      '<tool_call><tool=search><parameter=query>tea</parameter><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      '<invoke=',
      '<tool_call><invoke=search><parameter=query>tea</parameter><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      'no bracket before function=',
      '<tool_call>\nfunction=search>\n<parameter=query>tea</parameter><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      'no = before a known name',
      '<tool_call><function search><parameter=query>tea</parameter><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      'no > behind names',
      '<tool_call>\n<function=search\n<parameter=query\ntea\n</parameter>\n<parameter=limit 5</parameter>\n</function>\n</tool_call>',
    ],
    [
      'a name given twice',
      '<tool_call><function=function=search><parameter=parameter=query>tea</parameter><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      'a name in the closing tag',
      '<tool_call><function=search><parameter=query>tea</parameter=query><parameter=limit>5</parameter></function></tool_call>',
    ],
    [
      'a closing tag too many',
      '<tool_call><function=search><parameter=query>tea</parameter><parameter=limit>5</parameter>\n</function></function></tool_call>',
    ],
    [
      'tags named like parameters',
      '<tool_call><function=search><query>tea</query>\n<limit>5</limit></function></tool_call>',
    ],
    [
      '<value> around a value',
      '<tool_call><function=search><parameter=query><value>tea</value></parameter><parameter=limit>\n<value>5</value>\n</parameter></function></tool_call>',
    ],
    [
      'CDATA around a value',
      '<tool_call><function=search><parameter=query><![CDATA[tea]]></parameter><parameter=limit><![CDATA[5]]></parameter></function></tool_call>',
    ],
    [
      'JSON in place of parameters',
      '<tool_call><function=search>{"query": "tea", "limit": 5}</function></tool_call>',
    ],
    [
      'line breaks of Windows',
      '<tool_call>\r\n<function=search>\r\n<parameter=query>\r\ntea\r\n</parameter>\r\n<parameter=limit>\r\n5\r\n</parameter>\r\n</function>\r\n</tool_call>',
    ],
  ])('%s', (_what, input) => {
    const { calls, text: rest } = read(input);
    expect(calls).toEqual(found);
    expect(rest.replace('</function></tool_call>', '')).toBe('');
  });

  it('reads several functions of one block, closed or not', () => {
    const { calls } = read(
      '<tool_call><function=search><parameter=query>a</parameter></function><function=search><parameter=query>b</parameter><function=now></function></tool_call>',
    );
    expect(calls).toEqual([
      ['search', { query: 'a' }],
      ['search', { query: 'b' }],
      ['now', {}],
    ]);
  });

  it('reads names with spaces in them', () => {
    const { calls } = parseToolCalls(
      '<tool_call><function=look up a word><parameter=the word>tea</parameter></function></tool_call>',
      { registry },
    );
    expect(calls).toMatchObject([{ name: 'look up a word', arguments: { 'the word': 'tea' } }]);
  });

  it('reads a block that begins before the last one was closed', () => {
    const { calls } = read(
      '<tool_call><function=search><parameter=query>a</parameter>\n<tool_call><function=now></function></tool_call>',
    );
    expect(calls.map(([name]) => name)).toEqual(['search', 'now']);
  });
});

describe('the value of a parameter', () => {
  const valueOf = (value: string): JsonValue | undefined =>
    parseToolCalls(
      `<tool_call>\n<function=save>\n<parameter=body>${value}</parameter>\n</function>\n</tool_call>`,
      { registry },
    ).calls[0]?.arguments['body'];

  it('loses one line break at each end and nothing else', () => {
    expect(valueOf('\n  a\n\n')).toBe('  a\n');
    expect(valueOf('a')).toBe('a');
    expect(valueOf('\n')).toBe('');
    expect(valueOf('\r\n a \r\n')).toBe(' a ');
  });

  it('is text where no schema says otherwise', () => {
    expect(valueOf('\n42\n')).toBe('42');
    expect(valueOf('{"a": 1}')).toBe('{"a": 1}');
    expect(valueOf('&lt;b&gt;')).toBe('&lt;b&gt;');
  });

  it.each([
    '<div class="a"><parameters>x</parameters></toolbox>',
    'the tag </parameter> ends a parameter',
    'the tag <function=name> begins a function',
    'if (a </function> b) { </tool_call> }',
    'it says <parameter=body> twice',
    '<value>1</value><value>2</value>',
    'the tags </parameter> and <function=name> are mentioned',
    'a </parameter> before a <parameter=body> is odd',
  ])('may hold %s', (value) => {
    expect(valueOf(`\n${value}\n`)).toBe(value);
  });

  it('may hold a parameter that the tool does not have', () => {
    const value = 'write <parameter=name> here';
    const { calls } = read(
      `<tool_call><function=search><parameter=query>${value}</parameter></function></tool_call>`,
    );
    expect(calls).toEqual([['search', { query: value }]]);
  });

  it('is told as it arrives when it is a string', () => {
    const told: string[] = [];
    const stream = createToolCallStream({
      registry,
      tools,
      onEvent: (event) => {
        if (event.type === 'call-delta') told.push(event.fragment);
      },
    });
    stream.feed('<tool_call>\n<function=search>\n<parameter=query>\ngreen');
    stream.feed(' tea\n</para');
    expect(told).toEqual(['{"query":"green', ' tea']);
  });
});

describe('what is no call', () => {
  it.each([
    'Write <function=name> and then <parameter=key>.',
    'The tags are <tool_call> and <function=…>, in that order.',
    '`<function=${name}><parameter=${key}>` is what it prints',
    'Use <tool_call>\n<function=example>, I think.',
  ])('stays text: %s', (input) => {
    expect(parseToolCalls(input, { registry })).toMatchObject({ calls: [], text: input });
  });

  it('is the beginning of a call that the text ends in', () => {
    const input = '<tool_call>\n<function=search>\n<parameter=query>\ntea';
    const result = parseToolCalls(input, { registry, tools });
    expect(result).toMatchObject({ calls: [], text: input });
    expect(result.issues.map(({ code }) => code)).toContain('incomplete-call');
  });

  it('is a call whose next argument may be missing', () => {
    const input = '<function=search>\n<parameter=query>\ntea\n</parameter>\n';
    expect(read(input)).toEqual({ calls: [], text: input });
  });
});
