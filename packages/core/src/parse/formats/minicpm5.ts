import type { Opening } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readLoneInvokes } from '../xml/invoke-block.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType } from '../xml/parameter-reading.ts';

const OPEN = '<function';

const dialect: InvokeDialect = {
  tags: new InvokeTags({ wrapper: [], invoke: ['function'], parameter: ['param', 'parameter'] }),
  reading: readingByType,
  readsCdata: true,
  isStrict: true,
};

/** A tokenizer that was not told to put spaces back leaves `Ġ` for them and `Ċ` for line breaks. */
const undecoded: InvokeDialect = {
  ...dialect,
  decode: (piece) => piece.replaceAll('Ġ', ' ').replaceAll('Ċ', '\n'),
};

/** The space may be left out, or be what the tokenizer left of it. */
const openings: readonly Opening[] = ['', ' ', 'Ġ'].map((space) => ({
  text: `${OPEN}${space}name=`,
  bodyFrom: OPEN.length,
}));

/** `<function name="f"><param name="k">v</param></function>`, one after the other. */
export const minicpm5: FormatParser = new FormatParser({
  name: 'minicpm5',
  formats: [
    scriptFormat(openings, (input, opening) =>
      readLoneInvokes(input, opening.text.includes('Ġ') ? undecoded : dialect, OPEN),
    ),
  ],
  sample: '<function name="read_file"><param name="path">notes.md</param></function>',
  models: ['minicpm5', 'minicpm-5'],
});
