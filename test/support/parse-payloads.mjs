// Reads the whole corpus and texts that would run as code, in a process that cannot make code from text. Prints what
// became of it as JSON. The texts come on standard input, as a list.
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { checkToolCall } from '../../packages/core/dist/check/index.js';
import { parseJson, parseToolCalls } from '../../packages/core/dist/parse/index.js';

const corpus = new URL('../../corpus/', import.meta.url);
const files = readdirSync(corpus, { recursive: true }).filter((name) => name.endsWith('.txt'));
const texts = files.map((name) => readFileSync(new URL(name, corpus), 'utf8'));
const payloads = JSON.parse(await text(process.stdin));

let calls = 0;
for (const each of [...texts, ...payloads]) {
  const result = parseToolCalls(each);
  calls += result.calls.length;
  parseJson(each, { expect: 'call' });
  for (const call of result.calls) checkToolCall(call, [{ name: call.name, parameters: {} }]);
}
let refused = '';
try {
  // eslint-disable-next-line no-eval -- shows that this process refuses it
  (0, eval)('1');
} catch (error) {
  refused = error.name;
}
const told = { texts: texts.length, calls, refused, pwned: globalThis.pwned ?? null };
process.stdout.write(JSON.stringify(told));
