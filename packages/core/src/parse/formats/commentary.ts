import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import type { ParseLimits } from '../limits.ts';
import { declinesJsonBody, JsonBodyReader } from '../readers/json-body-reader.ts';

const tagged: Format = {
  openings: [{ text: '[TOOL_CALL]' }],
  declines: (text, bodyAt) => declinesJsonBody(text, bodyAt, '[/TOOL_CALL]'),
  createReader: (opening, context) =>
    new JsonBodyReader({ endMarker: '[/TOOL_CALL]', nextOpening: opening.text }, context),
};

/** `[TOOL_CALL]…[/TOOL_CALL]`, written amid commentary by many models that were only prompted for tools. */
export class CommentaryToolParser extends FormatParser {
  constructor(limits?: Partial<ParseLimits>) {
    super({
      name: 'commentary',
      formats: [tagged],
      sample: '[TOOL_CALL]{"name": "read_file", "arguments": {"path": "notes.md"}}[/TOOL_CALL]',
      limits,
    });
  }
}
