import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import type { ParseLimits } from '../limits.ts';
import { declinesJsonBody, JsonBodyReader } from '../readers/json-body-reader.ts';

const TAGS = ['tool_call', 'tools', 'function'] as const;

/** `<tool_call>…</tool_call>`, `<tools>[…]</tools>` and `<function>…</function>`. */
const tagged: readonly Format[] = TAGS.map((tag) => ({
  openings: [{ text: `<${tag}>` }],
  declines: (text, bodyAt) => declinesJsonBody(text, bodyAt, `</${tag}>`),
  createReader: (opening, context) =>
    new JsonBodyReader(
      {
        endMarker: `</${tag}>`,
        otherEndMarkers: TAGS.filter((other) => other !== tag).map((other) => `</${other}>`),
        nextOpening: opening.text,
      },
      context,
    ),
}));

/** `<{…}>`: the angle brackets are the whole markup. */
const bracketed: Format = {
  openings: [{ text: '<{', bodyFrom: 1 }],
  createReader: (_opening, context) =>
    new JsonBodyReader({ endMarker: '>', isWeak: true }, context),
};

/** The four spellings of Qwen 2.5 and of the Hermes template it was trained on. */
export class QwenToolParser extends FormatParser {
  constructor(limits?: Partial<ParseLimits>) {
    super({
      name: 'qwen',
      formats: [...tagged, bracketed],
      sample: '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.md"}}\n</tool_call>',
      models: ['qwen', 'qwq', 'hermes'],
      limits,
    });
  }
}
