import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue, Repair } from '../../types.ts';
import { allCuts } from '../chunking.case.ts';
import { JsonReader } from './json-reader.ts';
import { parseJson } from './parse-json.ts';

/** What is read from a text, and the repairs it took. */
const REPAIRS: readonly (readonly [string, JsonValue, readonly Repair[]])[] = [
  ['{"file": "a.ts", "lines": [1, 2,],}', { file: 'a.ts', lines: [1, 2] }, ['trailing-comma']],
  ['[, 1]', [1], ['trailing-comma']],
  ['{"a": 1\n "b": 2}', { a: 1, b: 2 }, ['missing-comma']],
  ['{"a": "x" "b": "y"}', { a: 'x', b: 'y' }, ['missing-comma']],
  ['["a" "b"]', ['a', 'b'], ['missing-comma']],
  ['{"tool" "grep", "args" {"q": "x"}}', { tool: 'grep', args: { q: 'x' } }, ['missing-colon']],
  ['{"a" = 1, "b" => 2}', { a: 1, b: 2 }, ['wrong-separator']],
  ['{"a"：1，"b"：2}', { a: 1, b: 2 }, ['wrong-separator']],
  ['{"a": "x"; "b": 2}', { a: 'x', b: 2 }, ['wrong-separator']],
  ["{'a': 'it\\'s', 'b': 'say \"hi\"'}", { a: "it's", b: 'say "hi"' }, ['single-quotes']],
  ["{'a': 'it's fine', 'b': 1}", { a: "it's fine", b: 1 }, ['single-quotes', 'inner-quotes']],
  ['{“a”: “b”}', { a: 'b' }, ['smart-quotes']],
  ['{`a`: `b`}', { a: 'b' }, ['odd-quotes']],
  ['{&quot;a&quot;: &quot;x &lt; y&quot;}', { a: 'x < y' }, ['entity-quotes']],
  ['{\\"a\\": \\"b \\\\\\"c\\\\\\" \\\\n\\"}', { a: 'b "c" \n' }, ['escaped-quotes']],
  ['{"a": """one\n"two"\n"""}', { a: 'one\n"two"\n' }, ['triple-quotes']],
  ['{a": 1}', { a: 1 }, ['missing-quote']],
  ['{"a: "b", "c": 1}', { a: 'b', c: 1 }, ['missing-quote']],
  ['{"city": "Oslo, "unit": "c"}', { city: 'Oslo', unit: 'c' }, ['missing-quote']],
  ['{"c": "echo "hi" && ls"}', { c: 'echo "hi" && ls' }, ['inner-quotes']],
  ['{"c": "print("a", "b")", "n": 1}', { c: 'print("a", "b")', n: 1 }, ['inner-quotes']],
  ['{"c": ["say "hi" now", "b"]}', { c: ['say "hi" now', 'b'] }, ['inner-quotes']],
  ['{"html": "<a href="x">y</a>"}', { html: '<a href="x">y</a>' }, ['inner-quotes']],
  ['{path: "a", max_lines: 5}', { path: 'a', max_lines: 5 }, ['unquoted-key']],
  ['{"mode": read only, "at": /tmp/x}', { mode: 'read only', at: '/tmp/x' }, ['unquoted-value']],
  ['{"a":\u00a01, \uFEFF"b": true\u00a0}', { a: 1, b: true }, ['odd-space']],
  ['{"t": "one\ntwo\tthree"}', { t: 'one\ntwo\tthree' }, ['raw-control-character']],
  ['{"re": "\\d+\\.\\w"}', { re: '\\d+\\.\\w' }, ['bad-escape']],
  ['{"p": "C:\\Users\\new\\table.txt"}', { p: 'C:\\Users\\new\\table.txt' }, ['bad-escape']],
  ['{"p": "C:\\dir\\", "mode": "r"}', { p: 'C:\\dir\\', mode: 'r' }, ['bad-escape']],
  ['{"p": "\\\\host\\share\\x"}', { p: '\\\\host\\share\\x' }, ['bad-escape']],
  ['{"t": "\\x41\\u{1F600}\\U0001F600\\\'"}', { t: "A😀😀'" }, ['bad-escape']],
  [
    '{"on": True, "off": False, "x": None, "y": NULL}',
    { on: true, off: false, x: null, y: null },
    ['python-literal'],
  ],
  ["{'re': r'\\d+'}", { re: '\\d+' }, ['single-quotes', 'python-literal']],
  ['{"x": undefined}', { x: null }, ['javascript-literal']],
  ['{"at": (1, 2)}', { at: [1, 2] }, ['tuple']],
  [
    '{"a": +1, "b": .5, "c": 2., "d": 007, "e": 0x1f, "f": 1_000}',
    { a: 1, b: 0.5, c: 2, d: 7, e: 31, f: 1000 },
    ['number'],
  ],
  ['{"a": NaN, "b": -Infinity}', { a: null, b: null }, ['non-finite-number']],
  ['{"a": "one " + "two"}', { a: 'one two' }, ['joined-strings']],
  ['{"a": 1, // first\n /* then */ "b": 2} # end', { a: 1, b: 2 }, ['comment', 'surrounding-text']],
  ['["a", "b", ...]', ['a', 'b'], ['ellipsis']],
  ['{"a": , "b": 1}', { b: 1 }, ['missing-value']],
  ['{"tags": ["a", "b"}', { tags: ['a', 'b'] }, ['missing-brace']],
  ['{"a": 1}}]', { a: 1 }, ['extra-brace']],
  ['{{"a": {{"b": 1}}}}', { a: { b: 1 } }, ['doubled-braces']],
  ['{"a": {"x": 1}, {"y": 2}}', { a: { x: 1, y: 2 } }, ['split-object']],
  ['"name": "f", "args": {"a": 1}', { name: 'f', args: { a: 1 } }, ['missing-outer-braces']],
  ['{"a": 1}\n{"a": 2}', [{ a: 1 }, { a: 2 }], ['concatenated']],
  ['```json\n{"a": 1}\n```', { a: 1 }, ['code-fence']],
  ['The set {x, y} is fine: {"a": 1}. Done', { a: 1 }, ['surrounding-text']],
  ['<think>maybe {"a": 0}</think>{"a": 1}', { a: 1 }, []],
  ['{"a": 1; "b": true; "c": "x"}', { a: 1, b: true, c: 'x' }, ['wrong-separator']],
  ['{"a": [1 2 3], "b": [true null]}', { a: [1, 2, 3], b: [true, null] }, ['missing-comma']],
  ['{"a" 1, "b" -2}', { a: 1, b: -2 }, ['missing-colon']],
  ['{"city": Oslo", "n": 1}', { city: 'Oslo', n: 1 }, ['missing-quote']],
  ['{&#39;a&#39;: &#39;b&#39;}', { a: 'b' }, ['entity-quotes']],
  [
    '{"html": "<p class="a" id="b">x</p>", "n": 1}',
    { html: '<p class="a" id="b">x</p>', n: 1 },
    ['inner-quotes'],
  ],
  [
    '{"json": "{"k": "v", "n": {"x": "y"}}", "to": "p"}',
    { json: '{"k": "v", "n": {"x": "y"}}', to: 'p' },
    ['inner-quotes'],
  ],
  [
    '{"w": {"py": "d = {"k": [1], "v": "s"}\n"}}',
    { w: { py: 'd = {"k": [1], "v": "s"}\n' } },
    ['raw-control-character', 'inner-quotes'],
  ],
  [
    '{"old": "say "x";", "new": "say "y";"}',
    { old: 'say "x";', new: 'say "y";' },
    ['inner-quotes'],
  ],
  ['{«a»: «b», «c»: «d»}', { a: 'b', c: 'd' }, ['smart-quotes']],
  ['{"name": "f"}, "args": {"n": 2}}', { name: 'f', args: { n: 2 } }, ['extra-brace']],
  ['[TOOL_CALLS] [{"name": "f"}]', [{ name: 'f' }], ['surrounding-text']],
];

const CUT: readonly (readonly [string, JsonValue])[] = [
  ['{"a": 1, "b": ', { a: 1 }],
  ['{"a": 1, "b', { a: 1 }],
  ['{"a": 1, "b": tr', { a: 1 }],
  ['{"a": 1, "b": -', { a: 1 }],
  ['{"a": "half a sen', { a: 'half a sen' }],
  ['{"a": "snow \\u26', { a: 'snow ' }],
  ['{"a": "back\\', { a: 'back' }],
  ['{"a": ["x", "y",', { a: ['x', 'y'] }],
  ['{"a": {"b": {"c": 1', { a: { b: { c: 1 } } }],
];

/** Where one character decides what those before it were. */
const DECIDED_LATE: readonly string[] = [
  '{"a": "{, "b": 1}',
  '{"a": "[x], "b"  = 1}',
  '{"a": "{, "b" , 1}',
  '{"a"：>1}',
  '{"a" =>1}',
];

describe('parseJson', () => {
  test.each(REPAIRS)('reads %j', (text, value, repairs) => {
    const result = parseJson(text);
    expect(result).toMatchObject({ ok: true, value, repairs });
  });

  test.each(CUT)('reads what is there of %j and says that it is incomplete', (text, value) => {
    const result = parseJson(text);
    expect(result).toMatchObject({ ok: true, value, complete: false });
  });

  test.each(['', 'no JSON here', '{', '[[[', '{tool} and {other}', '[text](url)', ':', '}', '\\'])(
    'invents nothing for %j',
    (text) => {
      const result = parseJson(text);
      if (result.ok)
        expect({ ...result, value: JSON.stringify(result.value) }).toMatchObject({
          complete: false,
        });
      else expect(result.message).toMatch(/^expected a JSON value, but /);
    },
  );

  test('marks as lossy what a repair may have lost or guessed', () => {
    const lossy = [
      '["a", ...]',
      '{"a": NaN}',
      '{"a": , "b": 1}',
      '{"a": {"x": 1}, {"y": 2}}',
      '{"a": "x, "b": 1}',
      '{"a": 1</call><call>f{x: 2}',
    ];
    for (const text of lossy) expect(parseJson(text), text).toMatchObject({ lossy: true });
    expect(parseJson('{"a": 1,}')).toMatchObject({ lossy: false });
  });

  test('takes a call out of the strings it was written into, when a call is expected', () => {
    const call = { name: 'f', arguments: { city: 'Oslo' } };
    const wrapped = [
      JSON.stringify(JSON.stringify(call)),
      JSON.stringify({ name: 'f', arguments: JSON.stringify(call.arguments) }),
      JSON.stringify({ name: 'f', arguments: JSON.stringify(JSON.stringify(call.arguments)) }),
      `{"name": "f", "arguments": "{'city': 'Oslo'}"}`,
      `{"name": "f", "arguments": "{"city": "Oslo"}"}`,
    ];
    for (const text of wrapped) {
      const result = parseJson(text, { expect: 'call' });
      expect(result, text).toMatchObject({ ok: true, value: call });
      expect(result.ok && result.repairs, text).toContain('double-encoded');
    }
    expect(parseJson(wrapped[0] ?? '')).toMatchObject({ value: JSON.stringify(call), repairs: [] });
  });

  test('prefers the object that names a tool, when a call is expected', () => {
    const text = 'With {"verbose": true} set, I run {"name": "ls", "arguments": {}}';
    expect(parseJson(text, { expect: 'call' })).toMatchObject({ value: { name: 'ls' } });
    expect(parseJson(text)).toMatchObject({ value: { verbose: true } });
  });

  test('never returns an inner object for an outer one that was cut', () => {
    expect(parseJson('{"outer": {"inner": {"x": 1}}, "more": [')).toMatchObject({
      value: { outer: { inner: { x: 1 } } },
      complete: false,
    });
  });

  test('keeps __proto__, constructor and prototype as data', () => {
    for (const text of [
      '{"__proto__": {"polluted": 1}, "constructor": 2}',
      "{'__proto__': {'polluted': 1}, 'constructor': 2}",
    ]) {
      const result = parseJson(text);
      if (!result.ok) throw new Error(result.message);
      expect(Object.keys(result.value as object)).toEqual(['__proto__', 'constructor']);
      expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype);
      expect(({} as { polluted?: number }).polluted).toBe(undefined);
    }
  });

  test('never writes to the prototype of other objects', () => {
    parseJson('{"a": 1, "__proto__": , {"polluted": 1}}');
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('reads %s nested up to the limit and refuses more', (open, close) => {
    const nested = (depth: number): string =>
      open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);
    expect(parseJson(nested(128))).toMatchObject({ ok: true, repairs: [] });
    for (const depth of [129, 10_000, 200_000]) {
      expect(parseJson(nested(depth)), `depth ${depth}`).toMatchObject({ ok: false });
      expect(parseJson(nested(depth).slice(0, -1)), `depth ${depth}, cut`).toMatchObject({
        ok: false,
      });
    }
  });

  test('leaves valid JSON as JSON.parse reads it', () => {
    const runs = (fc.readConfigureGlobal().numRuns ?? 100) * 50;
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseJson(text)).toEqual({
          ok: true,
          value: JSON.parse(text) as unknown,
          repairs: [],
          complete: true,
          lossy: false,
        });
      }),
      { numRuns: runs },
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({
          maxLength: 40,
          unit: fc.constantFrom(...Array.from('{}[]"\'\\:,\n ab1-.+/*#&“”`=()u')),
        }),
        (text) => {
          const result = parseJson(text, { expect: 'call' });
          expect(typeof result.ok).toBe('boolean');
        },
      ),
      { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 50 },
    );
  });
});

/** What a reader says of a document that comes in these chunks. */
function readIn(chunks: readonly string[], endMarker = ''): unknown {
  const reader = new JsonReader({ maxDepth: 128, endMarker });
  let status = 'more';
  for (const chunk of chunks) {
    status = reader.read(chunk);
    if (status !== 'more') break;
  }
  if (status === 'more') status = reader.end();
  const { value, repairs, complete, lossy, failure } = reader;
  return status === 'failed'
    ? { failure }
    : { value, repairs, complete, lossy, endOffset: reader.endOffset };
}

describe('JsonReader', () => {
  const spaced = fc
    .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t', ' \r\n '))
    .filter(([value]) => typeof value === 'object' && value !== null)
    .map(([value, space]) => JSON.stringify(value, undefined, space));

  test('repairs nothing in valid JSON, whatever the chunks', () => {
    fc.assert(
      fc.property(spaced, fc.integer({ min: 1, max: 5 }), (text, size) => {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        expect(readIn(chunks)).toEqual({
          value: JSON.parse(text) as unknown,
          repairs: [],
          complete: true,
          lossy: false,
          endOffset: text.length,
        });
      }),
      { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 20 },
    );
  });

  test('reads broken JSON the same, whatever the chunks', () => {
    for (const [text] of [...REPAIRS, ...CUT]) {
      const document = text.slice(Math.max(0, text.search(/[[{"]/)));
      const whole = readIn([document]);
      for (const size of [1, 2, 3, 7]) {
        expect(
          readIn(document.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []),
          `${document} by ${size}`,
        ).toEqual(whole);
      }
    }
  });

  test.each(DECIDED_LATE)('reads %j the same, wherever it is cut', (document) => {
    for (const endMarker of ['', '>']) {
      const whole = readIn([document], endMarker);
      for (const chunks of allCuts(document)) expect(readIn(chunks, endMarker)).toEqual(whole);
    }
  });
});
