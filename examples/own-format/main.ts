// A format nobody has seen before, in a few lines. It is detected, streamed and limited like the others.
import assert from 'node:assert/strict';
import { createDefaultRegistry, createToolCallStream, defineFormat } from '@holdfast/core/parse';
import type { ToolCall } from '@holdfast/core/parse';

// §call read_file path=notes.md; lines=20 §end
const sections = defineFormat({
  name: 'sections',
  open: '§call ',
  close: '§end',
  body(text) {
    const [name = '', ...rest] = text.trim().split(' ');
    const pairs = rest.join(' ').split(';');
    const entries = pairs.map((pair) => pair.split('=').map((part) => part.trim()));
    return { name, arguments: Object.fromEntries(entries) as Record<string, string> };
  },
});

const registry = createDefaultRegistry({ custom: [sections] });
const answer = 'One moment. §call read_file path=notes.md; lines=20 §end Here it is.';

const { calls, text } = registry.parse(answer, { nextId: () => 'call_1' });
console.log(text);
for (const call of calls) console.log(call.format, call.name, call.arguments);

const streamed: ToolCall[] = [];
const stream = createToolCallStream({
  registry,
  nextId: () => 'call_1',
  onEvent(event) {
    if (event.type === 'call-end') streamed.push(event.call);
  },
});
for (const character of answer) stream.feed(character);
stream.end();

assert.equal(text, 'One moment.  Here it is.');
assert.deepEqual(calls[0]?.arguments, { path: 'notes.md', lines: '20' });
assert.deepEqual(streamed, calls);
console.log('streamed one character at a time: the same');
