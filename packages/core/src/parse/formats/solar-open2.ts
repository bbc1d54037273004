import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readArgCall } from '../xml/arg-call.ts';
import { ArgMarkup } from '../xml/arg-markup.ts';

const MARKUP = new ArgMarkup(
  {
    callBegin: '<|tool_call:start|>',
    callEnd: '<|tool_call:end|>',
    keyBegin: '<|tool_arg:start|>',
    valueBegin: '<|tool_arg:value|>',
    valueEnd: '<|tool_arg:end|>',
  },
  { keepsFirst: true },
);

/** `<|tool_call:start|>` around a name and its arguments, each between tokens. */
export const solarOpen2: FormatParser = new FormatParser({
  name: 'solar-open2',
  formats: [
    {
      ...scriptFormat([MARKUP.callBegin], (input) => readArgCall(input, MARKUP)),
      reasoning: [{ open: '<|think:start|>', close: '<|think:end|>' }],
    },
  ],
  sample:
    '<|tool_call:start|>read_file\n<|tool_arg:start|>path<|tool_arg:value|>notes.md<|tool_arg:end|>\n<|tool_call:end|>',
  models: ['solar-open2', 'solar-open-2'],
});
