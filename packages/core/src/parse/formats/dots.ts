import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { declinesJsonBody, JsonBodyReader } from '../readers/json-body-reader.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readInvokeBlock } from '../xml/invoke-block.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType } from '../xml/parameter-reading.ts';

const OPEN = '<dots_function_call>';
const CLOSE = '</dots_function_call>';

const dialect: InvokeDialect = {
  tags: new InvokeTags({
    wrapper: ['dots_function_call'],
    invoke: ['invoke'],
    parameter: ['parameter'],
  }),
  reading: readingByType,
  trimsValues: true,
};

/** The same tag around JSON. */
const json: Format = {
  openings: [{ text: OPEN }],
  declines: (text, bodyAt) => declinesJsonBody(text, bodyAt, CLOSE),
  createReader: (_opening, context) =>
    new JsonBodyReader({ endMarker: CLOSE, nextOpening: OPEN }, context),
};

/** `<dots_function_call>` around `<invoke name="f"><parameter name="k">v</parameter></invoke>` or JSON. */
export const dots: FormatParser = new FormatParser({
  name: 'dots',
  formats: [scriptFormat([OPEN], (input) => readInvokeBlock(input, dialect)), json],
  sample:
    '<dots_function_call>\n<invoke name="read_file">\n<parameter name="path">notes.md</parameter>\n</invoke>\n</dots_function_call>',
  models: ['dots'],
});
