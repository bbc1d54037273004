// From raw text to a call that can be run: read it, check it, and tell the model what is wrong.
import assert from 'node:assert/strict';
import { checkToolCall } from '@holdfast/core/check';
import { parseToolCalls } from '@holdfast/core/parse';

const tools = [
  {
    name: 'book_table',
    description: 'Books a table.',
    parameters: {
      type: 'object',
      properties: {
        day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
        guests: { type: 'integer', minimum: 1, maximum: 12 },
        area: { enum: ['inside', 'outside'] },
        wishes: { type: 'array', items: { type: 'string' } },
      },
      required: ['day', 'guests'],
      additionalProperties: false,
    },
  },
];

const answers = [
  '<tool_call>{"name": "book_table", "arguments": {"day": "2026-12-24", "guests": 4}}</tool_call>',
  '<tool_call>{"name": "bookTable", "arguments": {"day": "2026-12-24", "guests": "4", "wishes": "window"}}</tool_call>',
  '<tool_call>{"name": "book_table", "arguments": {"date": "24 December", "guests": 40, "area": "outdoors"}}</tool_call>',
  '<tool_call>{"name": "book_tables", "arguments": {}}</tool_call>',
];

let runnable = 0;
for (const answer of answers) {
  const [call] = parseToolCalls(answer).calls;
  assert(call !== undefined);
  const checked = checkToolCall(call, tools);
  if (checked.ok) {
    runnable++;
    console.log(`run: ${checked.call.name} ${JSON.stringify(checked.call.arguments)}`);
    for (const { repair, message } of checked.repairs) console.log(`  ${repair}: ${message}`);
  } else {
    console.log(`tell the model: ${checked.message}`);
  }
}

assert.equal(runnable, 2);
