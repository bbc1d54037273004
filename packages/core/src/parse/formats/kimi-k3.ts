import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readXtmlCalls } from '../xml/xtml-section.ts';
import { kimiK3Frames } from './kimi-k3-frames.ts';

/** XTML: `<|open|>call tool="f"<|sep|>…<|close|>call<|sep|>` in a section of calls. */
export const kimiK3: FormatParser = new FormatParser({
  name: 'kimi-k3',
  formats: [scriptFormat(['<|open|>'], readXtmlCalls), ...kimiK3Frames],
  sample:
    '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>notes.md<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  models: ['kimi-k3', 'kimi_k3'],
});
