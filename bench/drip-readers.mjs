import { hermesProtocol } from '@ai-sdk-tool/parser';
import { parse as parsePartial } from 'partial-json';
import { createToolCallStream } from './core.mjs';
import { OURS } from './harness/figures.mjs';

/** What reads a Hermes call chunk by chunk; each returns the arguments it came to. */
export const dripReaders = [
  { name: OURS, read: readOurs },
  { name: '@ai-sdk-tool/parser', read: readPeer, isSlow: true },
  { name: 'partial-json on all so far', read: readPartial, isSlow: true },
];

function readOurs(chunks) {
  let args;
  let told = 0;
  const stream = createToolCallStream({
    onEvent: (event) => {
      if (event.type === 'call-delta') told += event.fragment.length;
      if (event.type === 'call-end') args = event.call.arguments;
    },
  });
  for (const chunk of chunks) stream.feed(chunk);
  stream.end();
  return told > 0 ? args : undefined;
}

/** Told that it is Hermes. */
async function readPeer(chunks) {
  const tools = [{ type: 'function', name: 'write_file', inputSchema: { type: 'object' } }];
  const { writable, readable } = hermesProtocol().createStreamParser({ tools, options: {} });
  const found = [];
  const writer = writable.getWriter();
  const reading = (async () => {
    for await (const part of readable) if (part.type === 'tool-call') found.push(part);
  })();
  for (const chunk of chunks) await writer.write({ type: 'text-delta', id: '1', delta: chunk });
  await writer.write({ type: 'finish', finishReason: 'stop', usage: {} });
  await writer.close();
  await reading;
  return found.length === 1 ? JSON.parse(found[0].input) : undefined;
}

/** As it is used: with each chunk, all that has come since the tag is read again, and shown. */
function readPartial(chunks) {
  const open = '<tool_call>';
  const close = '</tool_call>';
  let text = '';
  let from = -1;
  let value;
  for (const chunk of chunks) {
    text += chunk;
    if (from < 0) {
      const at = text.indexOf(open);
      if (at < 0) continue;
      from = at + open.length;
    }
    const to = text.indexOf(close, text.length - chunk.length - close.length);
    const body = text.slice(from, to < 0 ? undefined : to);
    // It refuses a text that has not begun.
    if (body.trim() !== '') value = parsePartial(withoutBegun(body, close));
  }
  return value?.arguments;
}

/** The text without an end marker that has begun at its end. */
function withoutBegun(text, marker) {
  for (let length = marker.length - 1; length > 0; length--)
    if (text.endsWith(marker.slice(0, length))) return text.slice(0, -length);
  return text;
}
