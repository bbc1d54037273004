import {
  createDefaultRegistry,
  parseJson,
  RENDER_FORMATS,
  renderToolCall,
  ToolRenderError,
} from '@holdfast/core/parse';
import type { JsonObject, JsonValue } from '@holdfast/core/parse';
import { readWhole } from '../../scripts/conformance/reading.ts';
import { Choices } from '../loop/fuzz-input.ts';
import { expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { checkReading } from './reading-laws.ts';
import { COMMON_WORDS } from './words.ts';

const STRUCTURE = /[{}[\]()<>"'`,:=|]/;
/** Ways to put two calls in JSON into one block, which no writer uses but models do. */
const BLOCKS: readonly (readonly [open: string, between: string, close: string])[] = [
  ['<tool_call>\n', '\n', '\n</tool_call>'],
  ['<tool_call>\n', '\n<tool_call>\n', '\n</tool_call>'],
  ['<tools>[', ', ', ']</tools>'],
  ['<function>\n', '\n', '\n</function>'],
  ['[TOOL_CALL]', '\n', '[/TOOL_CALL]'],
  ['[TOOL_CALLS] [', ', ', ']'],
  ['', '\n', ''],
];
const registry = createDefaultRegistry();
const TOOLS = ['one', 'two'].map((mark) => ({
  name: `${mark}_run`,
  parameters: {
    type: 'object',
    properties: { [`${mark}_text`]: { type: 'string' }, [`${mark}_list`]: { type: 'array' } },
  },
}));

/** Two calls, the first of which lost some of its brackets and quotes: no call that would be run is made of both. */
export const damageTarget: FuzzTarget = {
  name: 'damage',
  seeds: ['{"path": "a.md", "n": 3}', '{"list": ["x", {"y": "z"}], "s": "it is"}', '{}'].map(
    (text) => ({ text, choice: 0 }),
  ),
  words: COMMON_WORDS,
  sources: ['packages/core/src/parse/json', 'packages/core/src/parse/readers'],
  run: ({ text, choice }) => {
    const parsed = parseJson(text);
    const value = parsed.ok ? parsed.value : text;
    const choices = new Choices(choice);
    const written = write(toArguments(value, 'one'), toArguments('end', 'two'), choices);
    if (written === undefined) return;
    const { first, rest, isMarked } = written;
    const places = first.split('').flatMap((one, at) => (STRUCTURE.test(one) ? [at] : []));
    const lost = new Set(
      Array.from({ length: 1 + choices.below(3) }, () => places[choices.below(places.length)]),
    );
    const damaged =
      first
        .split('')
        .filter((_, at) => !lost.has(at))
        .join('') + rest;
    const read = readWhole(damaged, { registry });
    for (const { name, arguments: args, complete, lossy } of read.calls) {
      const said = JSON.stringify([name, args]);
      expectTrue(
        'no call that would be run is made of two',
        !complete || lossy || !(said.includes('one_') && said.includes('two_')),
        () => `${damaged}\n${said}`,
      );
    }
    // Without markers, what is left of a damaged list is code or prose.
    const offered = readWhole(damaged, { registry, tools: TOOLS });
    const isReported =
      offered.issues.length > 0 ||
      offered.calls.some(({ name, complete, lossy }) => name === 'two_run' || !complete || lossy);
    expectTrue(
      'the second call is read, or something is reported',
      !isMarked || isReported,
      () => damaged,
    );
    checkReading(damaged, { registry }, choices.rest);
  },
};

/** Arguments that say everywhere of which call they are. */
function toArguments(value: JsonValue, mark: string): JsonObject {
  const plain = JSON.stringify(value)
    .replaceAll(/[^a-zA-Z0-9 ]/g, '')
    .slice(0, 40);
  return {
    [`${mark}_text`]: `${mark}_${plain}`,
    [`${mark}_list`]: [`${mark}_item`, { [`${mark}_n`]: 1 }],
  };
}

/** Both calls as one of the dialects, or one of the blocks, has them: the part of the first, and the rest. */
function write(
  one: JsonObject,
  two: JsonObject,
  choices: Choices,
): { first: string; rest: string; isMarked: boolean } | undefined {
  const calls = [
    { name: 'one_run', arguments: one },
    { name: 'two_run', arguments: two },
  ];
  if (choices.flag()) {
    const [open, between, close] = BLOCKS[choices.below(BLOCKS.length)] ?? ['', '\n', ''];
    const [first = '', second = ''] = calls.map((call) => JSON.stringify(call));
    const rest = between + second + close;
    return { first: open + first, rest, isMarked: open !== '' };
  }
  const format = RENDER_FORMATS[choices.below(RENDER_FORMATS.length)] ?? 'qwen';
  try {
    const alone = renderToolCall(calls.slice(0, 1), format);
    const both = renderToolCall(calls, format);
    let end = 0;
    while (end < alone.length && alone[end] === both[end]) end++;
    // Both a second call and the end of all calls may begin so: with a part of a tag, or with a bracket.
    const tag = both.lastIndexOf('<', end - 1);
    if (tag > both.lastIndexOf('>', end - 1)) end = tag;
    while (/[<[{,\s]/.test(both.charAt(end - 1))) end--;
    const isMarked = format !== 'pythonic';
    return { first: both.slice(0, end), rest: both.slice(end), isMarked };
  } catch (error) {
    if (error instanceof ToolRenderError) return undefined;
    throw error;
  }
}
