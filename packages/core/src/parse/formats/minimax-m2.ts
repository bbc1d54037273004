import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readInvokeBlock } from '../xml/invoke-block.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType } from '../xml/parameter-reading.ts';

const WRAPPER = 'minimax:tool_call';

const dialect: InvokeDialect = {
  tags: new InvokeTags({ wrapper: [WRAPPER], invoke: ['invoke'], parameter: ['parameter'] }),
  reading: readingByType,
};

/** `<minimax:tool_call>` around `<invoke name="f"><parameter name="k">v</parameter></invoke>`. */
export const minimaxM2: FormatParser = new FormatParser({
  name: 'minimax-m2',
  formats: [scriptFormat([`<${WRAPPER}>`], (input) => readInvokeBlock(input, dialect))],
  sample:
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">notes.md</parameter>\n</invoke>\n</minimax:tool_call>',
  models: ['minimax-m2', 'minimax_m2'],
});
