import { hermesProtocol } from '@ai-sdk-tool/parser';
import { createToolCallStream } from './core.mjs';
import { toJson, writeCode } from './data/json-documents.mjs';
import { OURS } from './harness/figures.mjs';
import { chunksOf, flat } from './harness/flat.mjs';

/** The text of a call that is cut off within its argument, in chunks; no two are the same. */
function beginCall(characters, seed) {
  const args = { path: `src/part-${seed}.ts`, content: writeCode(seed, characters) };
  const call = `I will write it.\n<tool_call>${toJson({ name: 'write_file', arguments: args })}`;
  return chunksOf(flat(call.slice(0, -10)), 16);
}

/** Ways to read a stream; `open` returns one that is in the middle of an argument. */
export const streamKinds = [
  {
    name: OURS,
    open(characters, seed) {
      const stream = createToolCallStream({ onEvent: () => undefined });
      for (const chunk of beginCall(characters, seed)) stream.feed(chunk);
      return stream;
    },
  },
  {
    name: '@ai-sdk-tool/parser',
    async open(characters, seed) {
      const tools = [{ type: 'function', name: 'write_file', inputSchema: { type: 'object' } }];
      const { writable, readable } = hermesProtocol().createStreamParser({ tools, options: {} });
      const writer = writable.getWriter();
      const reading = (async () => {
        for await (const part of readable) void part;
      })();
      for (const delta of beginCall(characters, seed))
        await writer.write({ type: 'text-delta', id: '1', delta });
      return { writer, reading };
    },
  },
  {
    name: 'the text alone',
    open: (characters, seed) => flat(beginCall(characters, seed).join('')),
  },
];
