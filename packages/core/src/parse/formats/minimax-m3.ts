import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { NestedCallReader } from '../xml/nested-call.ts';

/** The token that stands before every tag. */
const MARK = ']<]minimax[>[';
const reader = new NestedCallReader(MARK, 'invoke', 'tool_call');

/** Calls whose parameters are elements named after them, nested as the values are. */
export const minimaxM3: FormatParser = new FormatParser({
  name: 'minimax-m3',
  formats: [
    {
      ...scriptFormat([MARK], (input) => reader.readBlock(input)),
      reasoning: [{ open: '<mm:think>', close: '</mm:think>' }],
    },
  ],
  sample: `${MARK}<tool_call>\n${MARK}<invoke name="read_file">${MARK}<path>notes.md${MARK}</path>${MARK}</invoke>\n${MARK}</tool_call>`,
  models: ['minimax-m3', 'minimax_m3'],
});
