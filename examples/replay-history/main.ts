// A conversation one model began is told to another in its own tongue, as plain text, and goes on there.
import assert from 'node:assert/strict';
import {
  parseToolCalls,
  renderToolCall,
  renderToolPrompt,
  renderToolResult,
} from '@holdfast/core/parse';

const tools = [
  {
    name: 'list_files',
    description: 'Lists the files of a folder.',
    parameters: { type: 'object', properties: { folder: { type: 'string' } } },
  },
  {
    name: 'read_file',
    description: 'Reads the first lines of a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
      required: ['path'],
    },
  },
];

// What the first model, of the Hermes family, wrote; and what the tool answered.
const first = parseToolCalls(
  'Let me look.\n<tool_call>{"name": "list_files", "arguments": {"folder": "docs"}}</tool_call>',
  { tools },
);
const [call] = first.calls;
assert(call !== undefined);
const answer = { name: call.name, callId: call.id, content: ['notes.md', 'plan.md'] };

for (const format of ['qwen3-coder', 'react', 'gemma4']) {
  const messages = [
    { role: 'system', content: renderToolPrompt(tools, format) },
    { role: 'user', content: 'What do the notes say?' },
    { role: 'assistant', content: first.text + renderToolCall(first.calls, format, { tools }) },
    { role: 'user', content: renderToolResult(answer, format) },
  ];
  console.log(`--- ${format}`);
  for (const { role, content } of messages.slice(1)) console.log(`${role}: ${content}`);

  // The second model goes on the way it was shown; here a script speaks for it.
  const next = renderToolCall(
    { name: 'read_file', arguments: { path: 'docs/notes.md', lines: 20 } },
    format,
  );
  const { calls } = parseToolCalls(next, { tools });
  assert.deepEqual(calls[0]?.arguments, { path: 'docs/notes.md', lines: 20 });
  assert.equal(calls[0].format, format);
}
