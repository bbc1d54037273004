// The same as a web stream: text goes in, events come out. Works on the body of any `fetch`.
import assert from 'node:assert/strict';
import { ToolCallTransformStream } from '@holdfast/core/parse';

const bytes = new TextEncoder().encode(
  '<think>The user wants the café.</think>Searching. [TOOL_CALL]{"tool": "search", "args": {"q": "café"}}[/TOOL_CALL]',
);

// Seven bytes at a time cuts characters, tags and JSON alike.
const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
  start(controller) {
    for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
    controller.close();
  },
});

const events = body
  .pipeThrough(new TextDecoderStream())
  .pipeThrough(new ToolCallTransformStream({ nextId: () => 'call_1' }));

let text = '';
let reasoning = '';
const calls: string[] = [];
for await (const event of events) {
  if (event.type === 'text-delta') text += event.text;
  else if (event.type === 'reasoning-delta') reasoning += event.text;
  else if (event.type === 'call-end')
    calls.push(`${event.call.name} ${JSON.stringify(event.call.arguments)}`);
}

console.log(`reasoning: ${reasoning}`);
console.log(`text: ${text.trim()}`);
console.log(`calls: ${calls.join('; ')}`);

assert.deepEqual(calls, ['search {"q":"café"}']);
