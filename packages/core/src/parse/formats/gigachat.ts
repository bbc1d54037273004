import { readCallsWithArguments } from '../call-shape.ts';
import { FormatParser } from '../format-parser.ts';
import type { JsonBodyOptions } from '../readers/json-body-options.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { markerHead } from '../readers/marker-head.ts';
import { endOfTurn } from '../script/end-of-turn.ts';
import { markedInvokeFormats } from '../xml/marked-invokes.ts';
import { readingOfString } from '../xml/parameter-reading.ts';

const END = '</s>';

const BODY: JsonBodyOptions = {
  endMarker: END,
  end: 'optional',
  shape: readCallsWithArguments,
};

export const gigachat: FormatParser = new FormatParser({
  name: 'gigachat',
  formats: [
    jsonFormat('<|function_call|>', BODY),
    // GigaChat 3 begins a new message for the call.
    jsonFormat('<|message_sep|>', BODY, markerHead('function call', '<|role_sep|>')),
    // GigaChat 3.5 has the tags of DeepSeek's models, with its own token; what is not declared is a string.
    ...markedInvokeFormats({
      marks: ['｜GCML｜', '|GCML|'],
      wrappers: ['tool_calls'],
      reading: readingOfString,
    }),
    endOfTurn(END),
  ],
  sample: '<|function_call|>{"name": "read_file", "arguments": {"path": "notes.md"}}',
  models: ['gigachat'],
});
