import { hasName } from '../call-keys.ts';
import { readCallsWithArguments } from '../call-shape.ts';
import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import type { ParseLimits } from '../limits.ts';
import { JsonBodyReader } from '../readers/json-body-reader.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { fencedTags } from '../script/fenced-tags.ts';
import { yamlTag } from '../script/yaml-tag.ts';

const TAGS = ['tool_call', 'tools', 'function'] as const;
/** What models end a call with, by mistake too. */
const CLOSINGS = [...TAGS.map((tag) => `</${tag}>`), '</tool>', '</think>'];
/** What other models put a call in, and data as well: there it needs a name and arguments. */
const WRAPPERS = ['tool', 'response', 'json', 'xml', 'JSON'] as const;

/** `<tool_call>…</tool_call>`, `<tools>[…]</tools>` and `<function>…</function>`. */
const tagged: readonly Format[] = TAGS.map((tag) =>
  jsonFormat(`<${tag}>`, {
    endMarker: `</${tag}>`,
    end: tag === 'tool_call' ? 'forgettable' : 'required',
    otherEndMarkers: CLOSINGS.filter((closing) => closing !== `</${tag}>`),
    closesByName: true,
    nextOpening: `<${tag}>`,
  }),
);

const wrapped: readonly Format[] = WRAPPERS.map((tag) =>
  jsonFormat(`<${tag}>`, {
    endMarker: `</${tag}>`,
    shape: readCallsWithArguments,
    resembles: hasName,
  }),
);

/** `<{…}>`: the angle brackets are the whole markup. */
const bracketed: Format = {
  openings: [{ text: '<{', bodyFrom: 1 }],
  createReader: (_opening, context) =>
    new JsonBodyReader({ endMarker: '>', resembles: hasName }, context),
};

/** The four spellings of Qwen 2.5, the Hermes template it was trained on, and what models make of that. */
export class QwenToolParser extends FormatParser {
  constructor(limits?: Partial<ParseLimits>) {
    super({
      name: 'qwen',
      formats: [
        ...tagged,
        ...wrapped,
        bracketed,
        yamlTag('tool_call'),
        fencedTags([...TAGS, ...WRAPPERS, 'function_call']),
      ],
      sample: '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.md"}}\n</tool_call>',
      models: ['qwen', 'qwq', 'hermes', 'granite-4', 'ernie-4.5', 'trinity', 'exaone'],
      limits,
    });
  }
}
