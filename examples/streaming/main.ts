// A model's answer arrives in chunks that are cut anywhere. Text is told at once; only what may still
// become a call is held back.
import assert from 'node:assert/strict';
import { createToolCallStream } from '@holdfast/core/parse';
import type { ParseEvent } from '@holdfast/core/parse';

const chunks = [
  'Let me read ',
  'it. <tool',
  '_call>{"name": "read_file", "argu',
  'ments": {"path": "no',
  'tes.md", "lines": 20',
  '}}</tool_call',
  '> Done.',
];

let input = '';
let fragments = '';
let calls = 0;
const stream = createToolCallStream({ nextId: () => 'call_1', onEvent: show });

for (const chunk of chunks) {
  console.log(`feed ${JSON.stringify(chunk)}`);
  stream.feed(chunk);
}
console.log('end');
stream.end();

function show(event: ParseEvent): void {
  switch (event.type) {
    case 'text-delta':
      console.log(`  text-delta ${JSON.stringify(event.text)}`);
      input += event.text;
      break;
    case 'call-start':
      console.log(`  call-start ${event.name} (${event.format}, ${event.id})`);
      break;
    case 'call-delta':
      console.log(`  call-delta ${event.fragment}`);
      fragments += event.fragment;
      break;
    case 'call-end':
      console.log(`  call-end ${event.call.name} ${JSON.stringify(event.call.arguments)}`);
      assert.deepEqual(JSON.parse(fragments), event.call.arguments);
      input += event.raw;
      calls++;
      break;
    case 'reasoning-delta':
    case 'markup':
      input += event.raw;
      break;
    case 'issue':
      console.log(`  issue ${event.issue.code}: ${event.issue.message}`);
  }
}

assert.equal(calls, 1);
// Nothing is lost: the events hold every character that was fed.
assert.equal(input, chunks.join(''));
