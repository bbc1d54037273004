import { isList } from '../../internal/schema-walk.ts';
import { hasName } from '../call-keys.ts';
import { FormatParser } from '../format-parser.ts';
import { pythonBlock } from '../pythonic/python-block.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { scriptFormat } from '../script/script-format.ts';

const BEGIN = '<|tool_call_start|>';

export const lfm2: FormatParser = new FormatParser({
  name: 'lfm2',
  formats: [
    {
      ...scriptFormat(
        [BEGIN],
        pythonBlock({ begin: BEGIN, ends: ['<|tool_call_end|>'], mayBeJson: true }),
      ),
      // MiniCPM3, which writes calls between the same markers.
      reasoning: [{ open: '<|thought_start|>', close: '<|thought_end|>' }],
    },
    // Older openPangu models, whose tokens have no names of their own.
    {
      ...jsonFormat('[unused11]', {
        endMarker: '[unused12]',
        end: 'forgettable',
        nextOpening: '[unused11]',
        resembles: (value) => (isList(value) ? value.some(hasName) : hasName(value)),
      }),
      reasoning: [{ open: '[unused16]', close: '[unused17]' }],
    },
  ],
  sample: '<|tool_call_start|>[read_file(path="notes.md", lines=20)]<|tool_call_end|>',
  models: ['lfm2', 'lfm-2', 'minicpm3', 'openpangu', 'openpangu-2', 'openpangu-v2', 'openpangu_v2'],
});
