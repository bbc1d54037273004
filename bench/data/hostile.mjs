import { flat } from '../harness/flat.mjs';
import { writeProse } from './prose.mjs';

/** `head` once, then `unit` over and over, `length` characters in all. */
export const flood =
  (unit, head = '') =>
  (length) =>
    flat((head + unit.repeat(Math.ceil(length / unit.length))).slice(0, length));

const good = '<tool_call>{"name":"read_file","arguments":{"path":"notes.md"}}</tool_call>';
const broken = `<tool_call>{"name":'read_file',"arguments":{"path":"say "hi" to C:\\new",}</tool_call>`;

/** Texts that make a careless reader start over at every step, and normal ones to compare them with. */
export const hostile = {
  prose: (length) => writeProse(1, length),
  'prose with many calls': flood(`${writeProse(2, 300)}\n${good}\n`),
  'prose with many broken calls': flood(`${writeProse(2, 300)}\n${broken}\n`),
  '<': flood('<'),
  '{': flood('{'),
  '[': flood('['),
  '<{': flood('<{'),
  '[{': flood('[{'),
  '<tool_call>': flood('<tool_call>'),
  '<tool_call>{': flood('<tool_call>{'),
  '<tools>[': flood('<tools>['),
  '<function>{"name":"': flood('<function>{"name":"'),
  '{"tool_calls":[': flood('{"tool_calls":['),
  '{"type":"function","function":': flood('{"type":"function","function":'),
  '[TOOL_CALL]': flood('[TOOL_CALL]'),
  '[TOOL_CALL]{"name":"a"': flood('[TOOL_CALL]{"name":"a"'),
  '<tool_cal': flood('<tool_cal'),
  '</tool_call>': flood('</tool_call>'),
  '<think>': flood('<think>'),
  '</think>': flood('</think>'),
  '<think><tool_call>': flood('<think><tool_call>'),
  '```': flood('```'),
  '```\\n': flood('```\n'),
  '```json\\n{': flood('```json\n{'),
  'call, unterminated string': flood('a', '<tool_call>{"a":"'),
  'call, quotes': flood('"', '<tool_call>{"a":'),
  'call, quotes and letters': flood('x" y ', '<tool_call>{"a":"'),
  'call, quotes and commas': flood('say "hi", ', '<tool_call>{"a":"'),
  'call, apostrophes': flood("it's ", "<tool_call>{'a':'"),
  'call, backslashes': flood('\\', '<tool_call>{"a":"'),
  'call, escaped quotes': flood('\\"', '<tool_call>{"a":"'),
  'call, end markers in a string': flood('</tool_call>', '<tool_call>{"a":"'),
  'call, nested objects': flood('{"a":', '<tool_call>'),
  'call, nested arrays': flood('[', '<tool_call>{"a":'),
  'call, spaces before the body': flood(' ', '<tool_call>'),
  'call, spaces in the body': flood(' ', '<tool_call>{"a":1'),
  'call, line breaks in the body': flood('\n', '<tool_call>{"a":1,'),
  'call, commas': flood(',', '<tool_call>{"a":1'),
  'call, closing brackets': flood('}', '<tool_call>{"a":1'),
  'call, comments': flood('/*', '<tool_call>{'),
  'call, line comments': flood('//\n', '<tool_call>{'),
  'call, bare words': flood('a b ', '<tool_call>{"a":'),
  'call, digits': flood('1', '<tool_call>{"a":'),
  'call, many keys': flood('"a":1,', '<tool_call>{'),
  'call, keys without colons': flood('"a" ', '<tool_call>{'),
  'call, typographic quotes': flood('“a”', '<tool_call>{“a”:“'),
  'call, arguments in a string': flood('\\"a\\":\\"', '<tool_call>{"name":"a","arguments":"{'),
  'call, arguments in a string, backslashes': flood(
    '\\\\',
    '<tool_call>{"name":"a","arguments":"{\\"a\\":\\"',
  ),
};
