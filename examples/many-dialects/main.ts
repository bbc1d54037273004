// One call as models of six families write it. Nobody says which is which.
import assert from 'node:assert/strict';
import { parseToolCalls } from '@holdfast/core/parse';

const tools = [
  {
    name: 'read_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    },
  },
];

const answers = [
  '<tool_call>{"name": "read_file", "arguments": {"path": "notes.md", "lines": 20}}</tool_call>',
  '[TOOL_CALLS]read_file[ARGS]{"path": "notes.md", "lines": 20}',
  '<tool_call><function=read_file><parameter=path>notes.md</parameter><parameter=lines>20</parameter></function></tool_call>',
  '<|tool_call>call:read_file{path:<|"|>notes.md<|"|>,lines:20}<tool_call|>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "notes.md", "lines": 20}<|tool_call_end|><|tool_calls_section_end|>',
  '<|channel|>analysis<|message|>I need the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "notes.md", "lines": 20}<|call|>',
];

for (const answer of answers) {
  const { calls, text } = parseToolCalls(answer, { tools });
  const [call] = calls;
  console.log(`${call?.format}: ${call?.name} ${JSON.stringify(call?.arguments)}`);
  assert.equal(calls.length, 1);
  assert.deepEqual(call?.arguments, { path: 'notes.md', lines: 20 });
  assert.equal(text, '');
}
