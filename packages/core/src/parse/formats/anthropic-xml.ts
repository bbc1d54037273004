import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readInvokeBlock, readLoneInvokes } from '../xml/invoke-block.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType } from '../xml/parameter-reading.ts';

/** Tags of one spelling: those of the other, in a value, are part of it. */
function dialectOf(prefix: string): InvokeDialect {
  return {
    tags: new InvokeTags({
      wrapper: [`${prefix}function_calls`],
      invoke: [`${prefix}invoke`],
      parameter: [`${prefix}parameter`],
      // Of a block of another dialect that lost its beginning.
      otherWrapperCloses: ['</minimax:tool_call>', '</tool_calls>'],
    }),
    reading: readingByType,
  };
}

function formatsOf(prefix: string): Format[] {
  const dialect = dialectOf(prefix);
  const open = `<${prefix}invoke`;
  return [
    scriptFormat([`<${prefix}function_calls>`], (input) => readInvokeBlock(input, dialect)),
    scriptFormat([{ text: `${open} name=`, bodyFrom: open.length, at: 'line-start' }], (input) =>
      readLoneInvokes(input, dialect, open),
    ),
  ];
}

/** `<function_calls>` around `<invoke name="f">`, with or without Anthropic's prefix, or without the tag around. */
export const anthropicXml: FormatParser = new FormatParser({
  name: 'anthropic-xml',
  formats: ['', 'antml:'].flatMap(formatsOf),
  sample:
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">notes.md</parameter>\n</invoke>\n</function_calls>',
});
