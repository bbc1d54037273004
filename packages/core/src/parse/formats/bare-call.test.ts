import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, ToolDefinition } from '../../types.ts';
import { cutAt, readChunks } from '../chunking.case.ts';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import type { ParseIssue } from '../parse-issue.ts';
import type { ParseOptions } from '../parse-options.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';

const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'tide_table',
    parameters: {
      type: 'object',
      properties: {
        harbour: { type: 'string' },
        days: { type: 'integer' },
        unit_type: { type: 'string' },
        depths: { type: 'array', items: { type: 'number' } },
      },
      required: ['harbour'],
    },
  },
  {
    name: 'loan.rate',
    parameters: {
      type: 'object',
      properties: {
        rate: { type: 'number' },
        months: { type: 'integer' },
        start: { type: 'string' },
        note: {},
      },
      required: ['rate'],
    },
  },
  { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  { name: 'stop', parameters: { type: 'object', properties: {} } },
];

interface Read {
  readonly calls: readonly (readonly [string, JsonObject])[];
  readonly text: string;
  readonly issues: readonly ParseIssue[];
}

/** What a text reads as, which must be the same whole and in chunks of any size. */
function read(text: string, options: ParseOptions = {}): Read {
  const all = { tools: TOOLS, ...options };
  const { calls, text: rest, issues } = parseToolCalls(text, all);
  const result = {
    calls: calls.map((call) => [call.name, call.arguments] as const),
    text: rest,
    issues,
  };
  expect(calls.every(({ complete, lossy }) => complete && !lossy)).toBe(true);
  for (const size of [1, 2, 7]) {
    const streamed = readChunks(
      text.match(new RegExp(`[\\s\\S]{1,${String(size)}}`, 'g')) ?? [],
      all,
    );
    const streamedCalls = streamed.calls.map((call) => [call.name, call.arguments] as const);
    const { text: rest, issues } = streamed;
    expect({ calls: streamedCalls, text: rest, issues }).toEqual(result);
    expect(streamed.source).toBe(text);
  }
  return result;
}

const BREST = ['tide_table', { harbour: 'Brest' }] as const;
const TWO = [BREST, ['loan.rate', { rate: 2 }]] as const;

describe('a bare call of an offered tool', () => {
  test.each([
    ['on its own', 'tide_table(harbour="Brest")', [BREST]],
    ['with a semicolon after each', 'tide_table(harbour="Brest"); loan.rate(rate=2);', TWO],
    ['separated by commas', 'tide_table(harbour="Brest"), loan.rate(rate=2)', TWO],
    ['separated by commas over lines', 'tide_table(harbour="Brest"),\nloan.rate(rate=2)', TWO],
    ['over several lines', 'tide_table(\n    harbour="Brest",\n)', [BREST]],
    ['printed', 'print(tide_table(harbour="Brest"))', [BREST]],
    ['with a JSON object', 'tide_table({"harbour": "Brest"})', [BREST]],
    ['with a Python dictionary', "tide_table({'harbour': 'Brest'})", [BREST]],
    ['with positional values', "tide_table('Brest')", [BREST]],
    ['with a near miss of a name', 'functions.TideTable(harbour="Brest")', [BREST]],
    ['in quotes', '\'tide_table(harbour="Brest")\'', [BREST]],
    ['in a quoted list', '["tide_table(harbour=\'Brest\')"]', [BREST]],
    ['in a list of strings', "['tide_table(harbour=\"Brest\")', 'loan.rate(rate=2)']", TWO],
    ['in a list with unescaped quotes', "['tide_table(harbour='Brest')']", [BREST]],
    [
      'in a list with one pair of quotes',
      '[\'tide_table(harbour="Brest"), loan.rate(rate=2)\']',
      TWO,
    ],
    ['in a list with a quote that never ends', '[\'tide_table(harbour="Brest")]', [BREST]],
    ['in a list with a quoted name', "['tide_table'(harbour='Brest')]", [BREST]],
    ['with Markdown escapes', "tide\\_table(harbour='Brest')", [BREST]],
    ['with Markdown escapes in a list', "[tide\\_table(harbour='Brest')]", [BREST]],
    ['in a tag', '<tool_call>tide_table(harbour="Brest")</tool_call>', [BREST]],
    ['in a tag for code', '<tool_code>\nprint(tide_table(harbour="Brest"))\n</tool_code>', [BREST]],
    [
      'as a list in a tag',
      '<tool_call>[tide_table(harbour="Brest"), loan.rate(rate=2)]</tool_call>',
      TWO,
    ],
    ['in a fence', '```tool_code\ntide_table(harbour="Brest")\n```', [BREST]],
    [
      'in a fence without language',
      '```\ntide_table(harbour="Brest")\nloan.rate(rate=2)\n```',
      TWO,
    ],
    ['as a list in a fence', '```python\n[tide_table(harbour="Brest")]\n```', [BREST]],
    ['in a fence on one line', '```tide_table(harbour="Brest")```', [BREST]],
    ['in backticks', '`tide_table(harbour="Brest")`', [BREST]],
    ['as a tuple', "[('tide_table', {'harbour': 'Brest'})]", [BREST]],
    ['as the key of an object', '{"tide_table": {"harbour": "Brest"}}', [BREST]],
    ['as a key in a list', "[{'tide_table': {'harbour': 'Brest'}}]", [BREST]],
    ['as the key of encoded arguments', '{"tide_table": "{\\"harbour\\": \\"Brest\\"}"}', [BREST]],
    ['with flat arguments', '{"name": "tide_table", "harbour": "Brest"}', [BREST]],
    [
      'with flat arguments in a tag',
      '<tool_call>{"name": "tide_table", "harbour": "Brest"}</tool_call>',
      [BREST],
    ],
    ['with flat arguments in a list', '[{"name": "tide_table", "harbour": "Brest"}]', [BREST]],
    [
      'with a number as its id',
      '{"id": 1, "function": "tide_table", "parameters": {"harbour": "Brest"}}',
      [BREST],
    ],
    ['under tool_call', '{"tool_call": "tide_table", "parameters": {"harbour": "Brest"}}', [BREST]],
    ['as an action', '{"action": "tide_table", "action_input": {"harbour": "Brest"}}', [BREST]],
    ['as an action with text', '{"action": "tide_table", "action_input": "Brest"}', [BREST]],
    ['with tool_args', '{"tool_name": "tide_table", "tool_args": {"harbour": "Brest"}}', [BREST]],
    [
      'with function_args',
      '{"function_name": "tide_table", "function_args": {"harbour": "Brest"}}',
      [BREST],
    ],
    [
      'in tool_uses',
      '{"tool_uses": [{"recipient_name": "functions.tide_table", "parameters": {"harbour": "Brest"}}]}',
      [BREST],
    ],
    [
      'in content',
      '{"content": "{\\"name\\": \\"tide_table\\", \\"arguments\\": {\\"harbour\\": \\"Brest\\"}}"}',
      [BREST],
    ],
    ['as call:', 'call:tide_table{harbour:Brest}', [BREST]],
    ['before an object', 'tide_table{"harbour": "Brest"}', [BREST]],
    ['with [ARGS]', 'tide_table[ARGS]{"harbour": "Brest"}', [BREST]],
    ['with a number after its name', 'functions.tide_table:0{"harbour": "Brest"}', [BREST]],
    ['as a recipient', 'commentary to=functions.tide_table json{"harbour": "Brest"}', [BREST]],
    ['announced', '[Calling tool: tide_table({"harbour": "Brest"})]', [BREST]],
    ['in the markers of an agent', '✿FUNCTION✿: tide_table\n✿ARGS✿: {"harbour": "Brest"}', [BREST]],
    ['in brackets for each part', '[tool]tide_table[args]{"harbour": "Brest"}[end]', [BREST]],
    [
      'whose tag stood in the prompt',
      'tide_table\n<arg_key>harbour</arg_key>\n<arg_value>Brest</arg_value>\n</tool_call>',
      [BREST],
    ],
    [
      'as JSON whose tag stood in the prompt',
      '{"name": "tide_table", "arguments": {"harbour": "Brest"}}</tool_call>',
      [BREST],
    ],
    ['over parameters in tags', 'tide_table\n<harbour>Brest</harbour>', [BREST]],
    ['without arguments', 'stop()', [['stop', {}]]],
    ['without arguments in a fence', 'Well:\n```\nstop()\n```', [['stop', {}]]],
  ] as const)('is read %s', (_, text, calls) => {
    expect(read(text).calls).toEqual(calls);
  });

  test.each([
    ['before', 'I look it up.\ntide_table(harbour="Brest")', 'I look it up.\n'],
    ['after', 'tide_table(harbour="Brest")\nThat will do.', '\nThat will do.'],
    [
      'of a heading before a fence',
      '## Zuerst\n\n```\ntide_table(harbour="Brest")\n```\n',
      '## Zuerst\n\n\n',
    ],
    [
      'on its line, before XML',
      'En cours: <tide_table><harbour>Brest</harbour></tide_table>',
      'En cours: ',
    ],
    [
      'on its line, before YAML in XML',
      '調べます <tide_table>\nharbour: Brest\n</tide_table>\n',
      '調べます \n',
    ],
  ])('keeps the text %s', (_, text, rest) => {
    expect(read(text)).toEqual({ calls: [BREST], text: rest, issues: [] });
  });

  test('is read several times in XML on one line', () => {
    const call = '<tide_table><harbour>Brest</harbour></tide_table>';
    expect(read(`Both: ${call} ${call}\nDone`).calls).toEqual([BREST, BREST]);
  });
});

describe('a tool whose name holds a namespace', () => {
  test('is called by the whole name', () => {
    const options = {
      tools: [{ name: 'functions.zero', parameters: { type: 'object', properties: { f: {} } } }],
    };
    const { calls } = read('functions.zero(f="3*x"), functions.zero(f="x")', options);
    expect(calls).toEqual([
      ['functions.zero', { f: '3*x' }],
      ['functions.zero', { f: 'x' }],
    ]);
  });
});

describe('a call that begins with a value that cannot be read', () => {
  test('is reported where the value is a call of an offered tool', () => {
    const { calls, text, issues } = read('loan.rate(read_file(path="a"), months=3)');
    expect({ calls, text }).toEqual({
      calls: [],
      text: 'loan.rate(read_file(path="a"), months=3)',
    });
    expect(issues).toMatchObject([{ code: 'unreadable-call' }]);
  });

  test('is a signature otherwise', () => {
    expect(read('loan.rate(rate, months=3)').issues).toEqual([]);
  });
});

describe('a value that is no literal', () => {
  test.each([
    ['a word', 'tide_table(harbour=Brest)', { harbour: 'Brest' }],
    ['several words', 'tide_table(harbour=Port Louis, days=2)', { harbour: 'Port Louis', days: 2 }],
    ['words beyond ASCII', 'tide_table(harbour=東京)', { harbour: '東京' }],
    ['a date', 'loan.rate(rate=1, start=2024-01-15)', { rate: 1, start: '2024-01-15' }],
    ['arithmetic without a schema', 'loan.rate(rate=1, note=2*3)', { rate: 1, note: '2*3' }],
    [
      'an address',
      'tide_table(harbour=https://sea.example/a?b)',
      { harbour: 'https://sea.example/a?b' },
    ],
    ['a quotient', 'loan.rate(rate=0.02/12)', { rate: 0.02 / 12 }],
    ['a product', 'loan.rate(rate=1, months=5*12)', { rate: 1, months: 60 }],
    ['parentheses', 'loan.rate(rate=(1 + 2) * -3)', { rate: -9 }],
    [
      'arithmetic in a list',
      'tide_table(harbour="a", depths=[1/2, 3*4])',
      { harbour: 'a', depths: [0.5, 12] },
    ],
    [
      'a word with escapes',
      'tide_table(harbour=a, unit\\_type=half\\_meter)',
      { harbour: 'a', unit_type: 'half_meter' },
    ],
  ])('is read: %s', (_, text, args) => {
    expect(read(text).calls.map(([, each]) => each)).toEqual([args]);
  });

  test('is listed as a repair', () => {
    const repairsOf = (text: string) => parseToolCalls(text, { tools: TOOLS }).calls[0]?.repairs;
    expect(repairsOf('loan.rate(rate=6/2)')).toEqual(['computed-number']);
    expect(repairsOf('tide_table(harbour=Brest)')).toEqual(['unquoted-value']);
    expect(repairsOf("tide\\_table(harbour='a')")).toEqual(['markdown-escape']);
  });

  test.each([
    ['a call', 'loan.rate(rate=double(2))', 'the value of rate is an expression'],
    ['an index', "tide_table(harbour=ports['west'])", 'the value of harbour is an expression'],
    ['a word for a number', 'loan.rate(rate=high)', 'the value of rate is an expression'],
    ['a word for a list', 'tide_table(harbour="a", depths=known)', 'the value of depths is'],
    ['a division by zero', 'loan.rate(rate=1/0)', 'the value of rate is an expression'],
    ['a power', 'loan.rate(rate=2**3)', 'the value of rate is an expression'],
    [
      'a fraction for an integer',
      'loan.rate(rate=1, months=7/2)',
      'months is an integer, but 7/2 is 3.5',
    ],
    [
      'too many operators',
      `loan.rate(rate=1${'+1'.repeat(33)})`,
      'the value of rate is an expression',
    ],
    ['an ellipsis', 'tide_table(harbour=...)', 'the value of harbour is an expression'],
    ['a placeholder', 'tide_table(harbour=<harbour>)', 'the value of harbour is an expression'],
    ['a string that goes on', 'tide_table(harbour="a" + b)', 'a string is followed by'],
    [
      'two values for one name',
      "tide_table(harbour='a', harbour='b')",
      'harbour of tide_table is given twice',
    ],
  ])('makes the call text with an issue: %s', (_, text, message) => {
    const { calls, text: rest, issues } = read(text);
    expect(calls).toEqual([]);
    expect(rest).toBe(text);
    expect(issues[0]?.message).toContain(message);
  });
});

describe('what is no bare call', () => {
  test.each([
    ['a sentence', 'You can use tide_table(harbour="Brest") for that.'],
    ['the beginning of a sentence', 'tide_table(harbour="Brest") gives you the tides.'],
    ['the end of a sentence', 'For that I would use tide_table(harbour="Brest")'],
    ['the end of a German sentence', 'Dafür nehme ich tide_table(harbour="Brest")'],
    ['a question', 'tide_table(harbour="Brest")?'],
    ['a bullet', '- tide_table(harbour="Brest")'],
    ['a numbered item', '1. tide_table(harbour="Brest")'],
    ['a starred item', '* tide_table(harbour="Brest"): tides'],
    ['a block quote', '> tide_table(harbour="Brest")'],
    ['a table', '| tide_table(harbour="Brest") | tides |'],
    ['inline code in a sentence', 'Write `tide_table(harbour="Brest")` on a line.'],
    ['inline code on a line', 'Like this:\n`tide_table(harbour="Brest")`\nand so on.'],
    ['bold text', '**tide_table(harbour="Brest")**'],
    ['a heading', '## tide_table(harbour="Brest")'],
    ['a signature with types', 'tide_table(harbour: string, days: int)'],
    ['a signature with defaults', 'tide_table(harbour: str = "Brest")'],
    ['a signature of names', 'tide_table(harbour, days)'],
    ['a signature of one name', 'loan.rate(rate)'],
    ['a definition', 'def tide_table(harbour="Brest"):\n    pass'],
    ['a definition of a function', 'function tide_table(harbour = "Brest") {}'],
    ['an assignment', 'result = tide_table(harbour="Brest")'],
    ['a loop', 'for day in tide_table(harbour="Brest"):'],
    ['a method of the result', 'tide_table(harbour="Brest").first()'],
    ['a comparison', 'tide_table(harbour="Brest") == 3'],
    ['code in a fence with other code', '```python\nimport sea\ntide_table(harbour="Brest")\n```'],
    ['a line of a fence that goes on', '```\ntide_table(harbour="Brest")\nprint("done")\n```'],
    ['a line in a fence that never ends', '```js\nconst a = 1;\ntide_table(harbour="Brest")\n'],
    ['a comment', '# tide_table(harbour="Brest")'],
    ['another tool', 'wave_table(harbour="Brest")'],
    ['a longer name', 'tide_tables(harbour="Brest")'],
    ['the name alone', 'tide_table'],
    ['the name and a colon', 'tide_table: gives the tides of a harbour'],
    ['the name as a sentence', 'Stop.\n<b>Brest</b>'],
    ['the name and space', 'tide_table (harbour="Brest")'],
    ['empty parentheses after text', 'Then:\nstop()'],
    ['empty parentheses before text', 'stop()\nis what I would do.'],
    ['a list of names', '["tide_table", "loan.rate"]'],
    ['a list of names without quotes', '[tide_table, loan.rate]'],
    [
      'a quoted call inside data',
      '{\n  "examples": [\n    "tide_table(harbour=\'Brest\')"\n  ]\n}',
    ],
    ['data under the name of a tool', '{"stop": {"at": 3}, "other": 1}'],
    ['data with one more key', '{"tide_table": {"harbour": "Brest"}, "cached": true}'],
    ['data with other keys', '{"name": "Brest", "harbour": "west"}'],
    ['a name without arguments', '{"name": "tide_table"}'],
    [
      'a definition in JSON',
      '{"name": "tide_table", "description": "tides", "parameters": {"type": "object", "properties": {}}}',
    ],
    ['XML inside a sentence', 'Use <tide_table><harbour>Brest</harbour></tide_table> for that.'],
    ['XML in inline code', 'Use `<tide_table><harbour>Brest</harbour></tide_table>`'],
    ['XML of another tool', 'Or: <wave_table><harbour>Brest</harbour></wave_table>'],
    ['XML without a parameter it needs', 'Or: <tide_table><days>3</days></tide_table>'],
    ['a mail address', 'stop@example.com'],
    ['a path', 'read_file/path'],
    ['a thought', '<think>\ntide_table(harbour="Brest")\n</think>\nHi'],
    ['a thought that never ends', '<think>\ntide_table(harbour="Brest")\n'],
    ['a prompt that asks', 'tide_table(harbour=string, unit_type=str)'],
  ])('stays text: %s', (_, text) => {
    const { calls, text: rest } = read(text, { reasoning: 'text' });
    expect(calls).toEqual([]);
    expect(rest).toBe(text);
  });

  test.each([
    ['a required parameter is missing', 'tide_table(days=3)', '"harbour" of tide_table is missing'],
    ['a parameter does not exist', 'tide_table(harbour="a", wind=3)', 'has no parameter "wind"'],
    [
      'a JSON argument does not exist',
      'tide_table{"harbour": "a", "wind": 3}',
      'no parameter "wind"',
    ],
    ['the text ends in it', 'Now:\ntide_table(harbour="Bre', 'the text ends inside the call'],
    [
      'parentheses are empty inside text',
      'Now:\nstop()',
      'without arguments is surrounded by text',
    ],
  ])('has an issue where %s', (_, text, message) => {
    const { calls, text: rest, issues } = read(text);
    expect(calls).toEqual([]);
    expect(rest).toBe(text);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message).toContain(message);
  });
});

describe('bareCalls: false', () => {
  test.each([
    'tide_table(harbour="Brest")',
    '```\ntide_table(harbour="Brest")\n```',
    '<tool_call>tide_table(harbour="Brest")</tool_call>',
    '{"tide_table": {"harbour": "Brest"}}',
    'See <tide_table><harbour>Brest</harbour></tide_table>',
    '[tide_table(harbour=Brest)]',
    '[loan.rate(rate=1/2)]',
  ])('leaves %j text', (text) => {
    expect(read(text, { bareCalls: false }).calls).toEqual([]);
    expect(read(text).calls).toHaveLength(1);
  });

  test('leaves markup what it is', () => {
    const text = '<tool_call>{"name": "tide_table", "arguments": {"harbour": "Brest"}}</tool_call>';
    expect(read(text, { bareCalls: false }).calls).toEqual([BREST]);
  });
});

test('nothing is a bare call without tools', () => {
  const text = 'tide_table(harbour="Brest")';
  expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
});

test('prose is not held once its first word cannot name a tool', () => {
  const texts: string[] = [];
  const stream = createToolCallStream({
    tools: TOOLS,
    onEvent: (event) => {
      if (event.type === 'text-delta') texts.push(event.text);
    },
  });
  stream.feed('Wha');
  expect(texts).toEqual(['Wha']);
  stream.end();
});

test('a flood of beginnings is read in time that grows with its length', () => {
  for (const piece of [
    'tide_table(\n',
    'tide_table(harbour=\n',
    '```\ntide_table(',
    "['tide_table(",
    'See <tide_table>',
  ]) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const started = performance.now();
    expect(parseToolCalls(text, { tools: TOOLS }).calls).toEqual([]);
    expect(performance.now() - started, piece).toBeLessThan(5_000);
  }
});

/** Pieces of bare calls and of the text around them. */
const PIECES = [
  ...[
    'tide_table',
    'tide\\_table',
    'loan.rate',
    'stop',
    'functions.',
    'call:',
    'print',
    'text',
    'é',
  ],
  ...[
    'harbour=',
    'rate=',
    'x=',
    'days: ',
    'string',
    '"Brest"',
    "'a b'",
    'Brest',
    '2',
    '1/2',
    '5*12',
  ],
  ...['(', ')', '()', '[', ']', '{', '}', ',', ', ', ';', ':', ':0', '"', "'", '\\', '=', '.', ' '],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '```',
    '```py\n',
    '\n```',
    '`',
    '````',
    '[ARGS]',
    '[Calling tool: ',
    '[tool]',
  ],
  ...['[args]', '✿FUNCTION✿: ', '\n✿ARGS✿: ', 'commentary to=', ' json'],
  ...[
    'tide_table(harbour="Brest")',
    '{"harbour": "Brest"}',
    '{"tide_table": ',
    '{"name": "stop", ',
  ],
  ...["('tide_table', ", '{"content": "', '"action": ', '"action_input": '],
  ...['<tool_call>', '</tool_call>', '<think>', '</think>', '<tide_table>', '</tide_table>'],
  ...['<harbour>', '</harbour>', '<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>'],
];

test('pieces of bare calls read the same however they are cut, and nothing of them is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join('')),
      fc.array(fc.nat(), { maxLength: 6 }),
      (text, places) => {
        const options = { tools: TOOLS, nextId: () => 'id' };
        const whole = parseToolCalls(text, options);
        expect(whole.segments.map(({ raw }) => raw).join('')).toBe(text);
        for (const chunks of [cutAt(text, places), text.split('')]) {
          const streamed = readChunks(chunks, options);
          expect(streamed).toMatchObject({ calls: whole.calls, text: whole.text, source: text });
          expect(streamed.issues).toEqual(whole.issues);
        }
      },
    ),
    { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 40 },
  );
});
