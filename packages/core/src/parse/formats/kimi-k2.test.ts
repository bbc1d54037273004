import { describeFormat } from '../format-suite.case.ts';
import { kimiK2 } from './kimi-k2.ts';

const call = (name: string, args: unknown): string =>
  `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|>`;
const section = (calls: string): string =>
  `<|tool_calls_section_begin|>${calls}<|tool_calls_section_end|>`;

describeFormat({
  parser: kimiK2,
  write: (name, args) => section(call(name, args)),
  writeAll: (calls) => section(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '<|tool_call_end|><|tool_calls_section_end|>',
  pieces: [
    '<|tool_calls_section_begin|>',
    '<|tool_calls_section_end|>',
    '<|tool_call_begin|>',
    'functions.f:0',
    '<|tool_call_argument_begin|>',
    '<|tool_call_end|>',
    '<|tool_call',
    '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a":',
  ],
});
