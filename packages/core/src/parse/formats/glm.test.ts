import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allCuts, readChunks } from '../chunking.case.ts';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { JsonValue, ToolDefinition } from '../../types.ts';
import { glm } from './glm.ts';

const text = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const call = (name: string, args: Readonly<Record<string, JsonValue>>): string => {
  const pairs = Object.entries(args).map(
    ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${text(value)}</arg_value>\n`,
  );
  return `<tool_call>${name}\n${pairs.join('')}</tool_call>`;
};

describeFormat({
  parser: glm,
  write: call,
  endMarker: '</tool_call>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Record<string, JsonValue>>,
  pieces: [
    '<tool_call>',
    '</tool_call>',
    '<arg_key>',
    '</arg_key>',
    '<arg_value>',
    '</arg_value>',
    '<user>',
    '</user>',
    'f',
    '\\n',
    '<arg_key>a</arg_key><arg_value>',
    '<tool_call>f\n<arg_key>a</arg_key>',
    '<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x',
    '<tool_call>f {',
    '<tool_call>f>{"a": 1}',
    '<arg_key>a=1</arg_value>',
    '<param_key>a</param_key>',
    '<param_value>',
    '</param_value>',
    'function\n',
    '<iquest_tool_call>',
    '</iquest_tool_call>',
    '<iquestcoder_tool_call>f\n<arg_key>a</arg_key><arg_value>',
  ],
});

const tools: readonly ToolDefinition[] = [
  {
    name: 'search',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer' } },
    },
  },
  { name: 'now', parameters: { type: 'object', properties: {} } },
];
const registry = new ParserRegistry().register(glm, 50);
const read = (input: string) => {
  const { calls, text: rest } = parseToolCalls(input, { registry, tools });
  return { calls: calls.map((one) => [one.name, one.arguments]), text: rest };
};
const found = [['search', { query: 'tea', limit: 5 }]];

describe('what models get wrong about keys and values', () => {
  it.each([
    [
      'all on one line',
      '<tool_call>search<arg_key>query</arg_key><arg_value>tea</arg_value><arg_key>limit</arg_key><arg_value>5</arg_value></tool_call>',
    ],
    [
      'no <arg_key>',
      '<tool_call>search\nquery</arg_key><arg_value>tea</arg_value>limit</arg_key><arg_value>5</arg_value></tool_call>',
    ],
    [
      'no </arg_key>',
      '<tool_call>search<arg_key>query<arg_value>tea</arg_value><arg_key>limit<arg_value>5</arg_value></tool_call>',
    ],
    [
      'no <arg_value>',
      '<tool_call>search<arg_key>query</arg_key>\ntea</arg_value><arg_key>limit</arg_key>5</arg_value></tool_call>',
    ],
    [
      'no </arg_value>',
      '<tool_call>search<arg_key>query</arg_key><arg_value>tea<arg_key>limit</arg_key><arg_value>5</tool_call>',
    ],
    [
      'no tag of a key',
      '<tool_call>search<arg_key>query</arg_key><arg_value>tea</arg_value>limit<arg_value>5</arg_value></tool_call>',
    ],
    [
      'the opening tag twice',
      '<tool_call><tool_call>search<arg_key>query</arg_key><arg_value>tea</arg_value><arg_key>limit</arg_key><arg_value>5</arg_value></tool_call>',
    ],
    [
      'line breaks that were escaped',
      '<tool_call>search\\n<arg_key>query</arg_key>\\n<arg_value>tea</arg_value>\\n<arg_key>limit</arg_key>\\n<arg_value>5</arg_value>\\n</tool_call>',
    ],
    ['JSON behind the name', '<tool_call>search\n{"query": "tea", "limit": 5}\n</tool_call>'],
    ['words behind the name', '<tool_call>search query="tea" limit=5</tool_call>'],
    [
      'an angle bracket between the name and JSON, and no end',
      '<tool_call>search>{"query": "tea", "limit": 5}',
    ],
    ['a group before the name', '<tool_call>Web/search>{"query": "tea", "limit": 5}</tool_call>'],
    [
      'a key and its value between two tags',
      '<tool_call>search\n<arg_key>query=tea</arg_value>\n<arg_key>limit=5</arg_value>\n</tool_call>',
    ],
    [
      'the tags of TeleChat 4',
      '<tool_call>search<param_key>query</param_key><param_value>tea</param_value>\n<param_key>limit</param_key><param_value>5</param_value></tool_call>',
    ],
    [
      'the type of the tool on a line, as Step-Audio 2 writes it',
      '<tool_call>function\nsearch\n{"query": "tea", "limit": 5}</tool_call>',
    ],
    [
      'the tag of IQuest Coder V2',
      '<iquestcoder_tool_call>search\n<arg_key>query</arg_key>\n<arg_value>tea</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>5</arg_value>\n</iquestcoder_tool_call>',
    ],
    [
      'the tag of IQuest Q1',
      '<iquest_tool_call>search<arg_key>query</arg_key><arg_value>tea</arg_value><arg_key>limit</arg_key><arg_value>5</arg_value></iquest_tool_call>',
    ],
    [
      'no end, when no argument is left',
      '<tool_call>search<arg_key>query</arg_key><arg_value>tea</arg_value><arg_key>limit</arg_key><arg_value>5</arg_value>',
    ],
    [
      'the tag of a user',
      '<user>search\n<arg_key>query</arg_key><arg_value>tea</arg_value><arg_key>limit</arg_key><arg_value>5</arg_value></user>',
    ],
    [
      'the tag of a user, and JSON',
      '<user>\n{"name": "search", "arguments": {"query": "tea", "limit": 5}}\n</user>',
    ],
  ])('%s', (_what, input) => {
    expect(read(input)).toEqual({ calls: found, text: '' });
  });

  it('knows the names that Laguna has for tools', () => {
    const offered = [{ name: 'read' }, { name: 'write_file' }, { name: 'write' }];
    const input = call('read_file', { path: 'a' }) + call('write_file', { path: 'a' });
    const { calls } = parseToolCalls(input, { registry, tools: offered });
    expect(calls).toMatchObject([
      { name: 'read', repairs: ['tool-name'] },
      { name: 'write_file', repairs: [] },
    ]);
  });

  it('gives the last value to a key that comes twice', () => {
    const { calls } = read(
      '<tool_call>search<arg_key>query</arg_key><arg_value>a</arg_value><arg_key>query</arg_key><arg_value>b</arg_value></tool_call>',
    );
    expect(calls).toEqual([['search', { query: 'b' }]]);
  });

  it('leaves out a key without a value, and says that the call is lossy', () => {
    const { calls } = parseToolCalls(
      '<tool_call>search<arg_key>limit</arg_key><arg_key>query</arg_key><arg_value>a</arg_value></tool_call>',
      { registry, tools },
    );
    expect(calls).toMatchObject([
      { arguments: { query: 'a' }, repairs: ['missing-value'], lossy: true },
    ]);
  });

  it('reads a call that begins before the last one was closed', () => {
    const { calls } = read(
      '<tool_call>search<arg_key>query</arg_key><arg_value>a</arg_value>\n<tool_call>now</tool_call>',
    );
    expect(calls).toEqual([
      ['search', { query: 'a' }],
      ['now', {}],
    ]);
  });
});

describe('the value of an argument', () => {
  const valueOf = (value: string): JsonValue | undefined =>
    parseToolCalls(call('save', { body: value }), { registry }).calls[0]?.arguments['body'];

  it('keeps the space around it', () => {
    expect(valueOf('    indented\n')).toBe('    indented\n');
  });

  it('is a literal where no schema says otherwise and nothing is lost', () => {
    expect(valueOf('3')).toBe(3);
    expect(valueOf('True')).toBe(true);
    expect(valueOf('[1, null]')).toEqual([1, null]);
    expect(valueOf('03')).toBe('03');
    expect(valueOf('+3')).toBe('+3');
    expect(valueOf('"tea" and more')).toBe('"tea" and more');
  });

  it('is a string with its quotes where the schema says string', () => {
    const { calls } = read(
      '<tool_call>search<arg_key>query</arg_key><arg_value>"an exact phrase"</arg_value></tool_call>',
    );
    expect(calls).toEqual([['search', { query: '"an exact phrase"' }]]);
  });

  it.each([
    'the tag </arg_value> ends it',
    'a <tool_call> is mentioned',
    'a </arg_value> and then a <tool_call> are mentioned',
    'and </tool_call> as well',
    'with <arg_key> and no end',
    'with <arg_key>body</arg_key><arg_value> of its own',
  ])('may hold: %s', (value) => {
    expect(valueOf(value)).toBe(value);
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
    stream.feed('<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>green');
    stream.feed(' tea</arg_');
    expect(told).toEqual(['{"query":"green', ' tea']);
  });
});

describe('the newer spellings of a call', () => {
  const SPELLINGS: readonly (readonly [string, (name: string, args: string) => string])[] = [
    ['GLM-5.3-Flash', (name, query) => `<tool_call>${name}>{"query": "${query}"}\n`],
    [
      'GLM-5.3-Flash',
      (name, query) => `<tool_call>${name}\n<arg_key>query=${query}</arg_value></tool_call>\n`,
    ],
    [
      'TeleChat4-36B',
      (name, query) =>
        `<tool_call>${name}<param_key>query</param_key><param_value>${query}</param_value></tool_call>\n`,
    ],
    [
      'XingChen-AGI/Xing4.0',
      (name, query) => `<tool_call>${name}{"query": "${query}"}</tool_call>\n`,
    ],
    [
      'stepfun-ai/Step-Audio-2-mini',
      (name, query) => `<tool_call>function\n${name}\n{"query": "${query}"}</tool_call>\n`,
    ],
    [
      'IQuestLab/IQuest-Q1',
      (name, query) =>
        `<iquest_tool_call>${name}<arg_key>query</arg_key><arg_value>${query}</arg_value></iquest_tool_call>\n`,
    ],
    [
      'IQuestLab/IQuest-Coder-V2',
      (name, query) =>
        `<iquestcoder_tool_call>${name}<arg_key>query</arg_key><arg_value>${query}</arg_value></iquestcoder_tool_call>\n`,
    ],
  ];

  it.each(SPELLINGS)('are read at every cut, among other parsers: %s', (model, write) => {
    const input = `I look.\n${write('search', 'tea')}${write('search', 'a < b')}Done.`;
    for (const options of [{}, { tools }, { model }]) {
      for (const chunks of allCuts(input)) {
        const streamed = readChunks(chunks, options);
        expect(streamed.calls, chunks.join(' + ')).toMatchObject([
          { name: 'search', arguments: { query: 'tea' }, format: 'glm', lossy: false },
          { name: 'search', arguments: { query: 'a < b' }, format: 'glm', lossy: false },
        ]);
        expect(streamed.text.replaceAll('\n', '')).toBe('I look.Done.');
        expect(streamed.issues).toEqual([]);
      }
    }
  });

  it.each(SPELLINGS)('are text with an issue where the text ends in them: %s', (_model, write) => {
    const whole = write('search', 'green tea');
    const input = whole.slice(0, whole.indexOf('een tea'));
    const result = parseToolCalls(input, { tools });
    expect(result).toMatchObject({ calls: [], text: input, issues: [{ code: 'incomplete-call' }] });
  });

  it('are text with an issue where the text ends in the tag after the name', () => {
    for (const rest of ['<arg_key>', '<param_key>', '</tool_call>', '>{']) {
      for (let cut = 1; cut < rest.length; cut++) {
        const input = `<tool_call>search\n${rest.slice(0, cut)}`;
        expect(parseToolCalls(input, { tools }), input).toMatchObject({
          calls: [],
          text: input,
          issues: [{ code: 'incomplete-call' }],
        });
      }
    }
  });

  it('hold values as long as any', () => {
    const query = 'a = b, c < d and e > f\n'.repeat(40);
    const input = `<tool_call>search<arg_key>query=${query}</arg_value></tool_call>`;
    expect(read(input)).toEqual({ calls: [['search', { query }]], text: '' });
  });

  it.each([
    [
      'a key that the tool does not have',
      '<tool_call>search<arg_key>size=5</arg_value></tool_call>',
    ],
    ['an angle bracket and no JSON', '<tool_call>search> tea</tool_call>'],
  ])('are none with %s', (_what, input) => {
    expect(read(input)).toEqual({ calls: [], text: input });
  });

  it('leave a tool its name that is called `function`', () => {
    const input = '<tool_call>function\n<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>';
    expect(parseToolCalls(input).calls).toMatchObject([{ name: 'function', arguments: { a: 1 } }]);
  });
});

describe('GLM 5.3 Flash', () => {
  const list = { type: 'array' };
  const offered = [
    {
      name: 'order_books',
      parameters: {
        type: 'object',
        properties: { books: list, note: { type: 'string' } },
        required: ['books'],
      },
    },
    { name: 'get_weather', parameters: { type: 'object', properties: { place: {} } } },
    { name: 'list_orders', parameters: { type: 'object', properties: { from: list, to: list } } },
    { name: 'get_map', parameters: { type: 'object', properties: {} } },
    { name: 'save_map', parameters: { type: 'object', properties: {} } },
  ];
  const readFlash = (input: string) => parseToolCalls(input, { registry, tools: offered });

  it.each(['>', '\n', '>\n', ' '])('writes a list without its key after %j', (between) => {
    for (const end of ['</tool_call>', '']) {
      const { calls } = readFlash(
        `<tool_call>order_books${between}["Emma", 9007199254740993]${end}`,
      );
      expect(calls).toMatchObject([
        {
          name: 'order_books',
          argumentsText: '{"books": ["Emma", 9007199254740993]}',
          complete: true,
          lossy: false,
        },
      ]);
    }
  });

  it('has its list repaired as any JSON', () => {
    const { calls } = readFlash("<tool_call>order_books>['Emma',]</tool_call>");
    expect(calls).toMatchObject([{ arguments: { books: ['Emma'] }, lossy: false }]);
    expect(calls[0]?.repairs).toContain('missing-outer-braces');
  });

  it.each([
    ['order_books>["Emma"', 'incomplete-call'],
    ['list_orders>["Emma"]</tool_call>', 'unreadable-call'],
    ['get_weather>["Ghent"]</tool_call>', 'unreadable-call'],
  ])('stays text with a list that no parameter can take: %s', (body, code) => {
    const { calls, issues } = readFlash(`<tool_call>${body}`);
    expect({ calls, codes: issues.map((issue) => issue.code) }).toEqual({
      calls: [],
      codes: [code],
    });
  });

  it('writes a word for people in place of the name of a tool', () => {
    const { calls } = readFlash('<tool_call>Weather>{"place": "Ghent"}');
    expect(calls).toMatchObject([{ name: 'get_weather', lossy: false }]);
    expect(calls[0]?.repairs).toContain('tool-name');
  });

  it('makes the call lossy where the arguments do not fit the tool with that word', () => {
    expect(readFlash('<tool_call>Weather>{"city": "Ghent"}').calls).toMatchObject([
      { lossy: true },
    ]);
    expect(readFlash('<tool_call>Books</tool_call>').calls).toMatchObject([{ lossy: true }]);
  });

  it.each(['Map', 'weather_now', 'place', 'wea'])('means no tool by %s', (name) => {
    expect(readFlash(`<tool_call>${name}>{}`).calls).toEqual([]);
  });
});

describe('a name that begins with no letter', () => {
  it.each(['-search', '/search', '$cost', '[list'])('calls %s, however the text is cut', (name) => {
    const offered = [{ name: 'search' }, { name: '$cost' }, { name: '[list' }];
    for (const chunks of allCuts(`<tool_call>\n${name}\n</tool_call>`)) {
      const { calls, text: rest } = readChunks(chunks, { registry, tools: offered });
      expect(calls, chunks.join(' + ')).toMatchObject([{ name: name.replace(/^[-/]/, '') }]);
      expect(rest).toBe('');
    }
  });
});

describe('what is no call', () => {
  it.each([
    'The tag <tool_call> begins a call.',
    'It stands between <tool_call> and </tool_call>.',
    '<tool_call>Let me think about it.</tool_call>',
    '<tool_call><arg_key>k</arg_key><arg_value>v</arg_value></tool_call>',
    '<arg_key>k</arg_key><arg_value>v</arg_value>',
    '<user>hello</user>',
    '<user>nobody\n<arg_key>k</arg_key><arg_value>v</arg_value></user>',
  ])('stays text: %s', (input) => {
    expect(read(input)).toEqual({ calls: [], text: input });
  });

  it('is a call that is marked incomplete, if such calls are asked for', () => {
    const input = '<tool_call>search\n';
    const { calls } = parseToolCalls(input, { registry, incompleteCalls: 'call' });
    expect(calls).toMatchObject([{ name: 'search', arguments: {}, complete: false }]);
  });

  it('is a call whose next argument may be missing', () => {
    const input = '<tool_call>search<arg_key>query</arg_key><arg_value>tea</arg_value>';
    expect(read(input)).toEqual({ calls: [], text: input });
  });
});
