import fc from 'fast-check';
import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import type { RenderableCall } from './render-dialect.ts';

/** What dialects are made of, and what is dangerous in any of them. */
const PIECES = [
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tools>',
  '<function=f>',
  '</function>',
  '<parameter=k>',
  '</parameter>',
  '</ parameter >',
  '<parameter name="k">',
  '</param',
  '<invoke name="f">',
  '</invoke>',
  '<function_calls>',
  '</function_calls>',
  '<minimax:tool_call>',
  '</minimax:tool_call>',
  '<arg_key>',
  '</arg_key>',
  '<arg_value>',
  '</arg_value>',
  '<do_it>',
  '</do_it>',
  '</do_it_0>',
  '<path>',
  '</path>',
  '</content>',
  '[TOOL_CALLS]',
  '[ARGS]',
  '[TOOL_CALL]',
  '[/TOOL_CALL]',
  '[TOOL_REQUEST]',
  '[END_TOOL_REQUEST]',
  '<|python_tag|>',
  '<|python_start|>',
  '<|tool_call>',
  '<tool_call|>',
  '<|"|>',
  '<|"',
  '<|tool_calls_section_begin|>',
  '<|tool_call_end|>',
  '<|tool_calls_section_end|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁end｜>',
  '<｜tool▁sep｜>',
  '<｜DSML｜invoke name="f">',
  '</｜DSML｜parameter>',
  '<｜GCML｜tool_calls>',
  '</｜GCML｜parameter>',
  '</s>',
  '<ifm|tool_calls>',
  '<ifm|arg_key>',
  '</ifm|arg_value>',
  '</ifm|tool_call>',
  '<|tool_call:start|>',
  '<|tool_arg:end|>',
  '<|tool_call:end|>',
  '<|plamo:begin_tool_request:plamo|>',
  '<|plamo:end_tool_arguments:plamo|>',
  '<tool: function>',
  '\n</tool>',
  '<use_mcp_tool>',
  '</arguments>',
  '</use_mcp_tool>',
  '<|channel|>',
  '<|message|>',
  '<|call|>',
  '<|start|>assistant',
  '<think>',
  '</think>',
  '[THINK]',
  'Action: f',
  '\nAction: f\nAction Input: {}',
  '\nObservation: ',
  'Final Answer:',
  '```',
  '```json\n',
  '{"name": "f", "arguments": {}}',
  '{"tool_calls": []}',
  '[f(a=1)]',
  'f(a=1)',
  '<![CDATA[',
  ']]>',
  '&lt;',
  '&amp;',
  '&quot;',
  '<',
  '>',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '"',
  "'",
  '`',
  '"""',
  '\\',
  '\\n',
  '\\u0041',
  '\\"',
  ',',
  ':',
  ';',
  '; ',
  '=',
  '#',
  '|',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '  ',
  '\u0000',
  '\u00a0',
  '\u2028',
  'é',
  '漢字',
  '😀',
  '\ud800',
  'null',
  'None',
  'true',
  'True',
  '42',
  '-0.5e3',
  '007',
  'some words',
  '{}',
  '[]',
  '{"a": 1}',
];

const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 6 })
  .map((pieces) => pieces.join(''));

const plainKey = fc.constantFrom('path', 'content', 'query', 'n', 'limit', 'isOn', 'file_path');
const hostileKey = fc.oneof(
  { weight: 3, arbitrary: plainKey },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'name',
      'arguments',
      'parameters',
      'properties',
      'type',
      'description',
      'id',
      'tool_calls',
      'function',
      'item',
      'from',
      'class',
      'self',
      'a-b',
      'a.b',
      'first name',
      'été',
      '0',
      '',
      ' ',
      '$ref',
      '@id',
    ),
  },
  { weight: 1, arbitrary: hostileText },
);

const scalar = (text: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> =>
  fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.maxSafeInteger()) },
    {
      weight: 1,
      arbitrary: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((n) => (Object.is(n, -0) ? 0 : n)),
    },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant(null) },
  );

function valueOf(text: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: scalar(text) },
      { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.dictionary(key, tie('value'), { maxKeys: 3 }) },
    ),
  }));
  return value;
}

function callsWith(
  text: fc.Arbitrary<string>,
  key: fc.Arbitrary<string>,
): fc.Arbitrary<RenderableCall[]> {
  const args = fc.dictionary(key, valueOf(text, key), { maxKeys: 4 });
  const name = fc.constantFrom('do_it', 'readFile', 'mcp__files__read');
  return fc
    .array(fc.record({ name, arguments: args }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((calls) => calls.map((call, at) => ({ ...call, name: `${call.name}_${at}` })));
}

/** Calls whose keys and strings are full of markup. */
export const hostileCalls: fc.Arbitrary<RenderableCall[]> = callsWith(hostileText, hostileKey);

/** One call of a tool with a name that few dialects can spell. */
export const oddlyNamedCall: fc.Arbitrary<RenderableCall> = fc.record({
  name: fc
    .oneof(
      fc.constantFrom(
        ...['a b', 'a.b', 'a:b', 'a/b', 'a-b', 'a@b', 'a=b', 'a,b', 'a;b', 'a"b', "a'b", 'a>b'],
        ...[
          'a{b',
          'a(b)',
          'a[0]',
          'a|b',
          'a\\b',
          'a\nb',
          '1',
          '-a',
          '.a',
          '_',
          '$',
          'été',
          '名前',
          '😀',
        ],
        ...['functions.a', 'functions', 'call:a', 'python', 'assistant', 'to=a', 'name', 'invoke'],
        ...[
          'parameter',
          'tool_call',
          'function',
          'Action',
          'None',
          'true',
          'think',
          'json',
          'class',
        ],
      ),
      hostileText,
    )
    .map((name) => name.trim())
    .filter((name) => name !== ''),
  arguments: fc.constantFrom<JsonObject>({}, { path: 'notes.md' }),
});

/** Calls that every dialect can say. */
export const plainCalls: fc.Arbitrary<RenderableCall[]> = callsWith(
  fc.oneof(
    fc.string().map((text) => text.replaceAll('<', '')),
    fc.constantFrom(
      'notes.md',
      'if (a > b) {\n\treturn `x${1}`; // it\'s\n}\n\n"done"\n',
      ' two\n\nlines ',
      '42',
      'true',
      '{"a": [1]}',
      'C:\\temp\\new',
      '漢字 😀',
      '',
    ),
  ),
  plainKey,
);

/** Tools whose schemas say exactly what the calls hold. */
export function toolsFor(calls: readonly RenderableCall[]): ToolDefinition[] {
  return calls.map((call) => ({
    name: call.name,
    parameters: schemaOf(call.arguments) as JsonObject,
  }));
}

function schemaOf(value: JsonValue): JsonValue {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    return { type: 'array', prefixItems: (value as readonly JsonValue[]).map(schemaOf) };
  }
  if (typeof value !== 'object') return { type: typeof value };
  const members = Object.entries(value).map(([key, member]) => [key, schemaOf(member)] as const);
  return { type: 'object', properties: Object.fromEntries(members) };
}

/** Tools whose schemas leave open what the calls hold, each in its own way. */
export function vagueToolsFor(calls: readonly RenderableCall[]): ToolDefinition[] {
  return calls.map(({ name, arguments: args }, at) => {
    const members = Object.keys(args).map((key, place) => {
      return [key, VAGUE[(at + place) % VAGUE.length] ?? true] as const;
    });
    const properties = Object.fromEntries(members.slice(at));
    return { name, parameters: { type: 'object', properties } };
  });
}

const VAGUE: readonly JsonValue[] = [
  { type: ['string', 'number', 'null'] },
  { anyOf: [{ type: 'object' }, { type: 'string' }, { type: 'boolean' }] },
  true,
  {},
  { type: ['array', 'null'] },
  { enum: ['42', 42, null, 'null'] },
];
