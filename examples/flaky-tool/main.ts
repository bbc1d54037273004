// A search that times out, breaks off and answers: what is retried by itself, and what the model hears at last.
import assert from 'node:assert/strict';
import { createToolRunner, parseToolCalls } from '@holdfast/core';
import { formatGuardEvent } from '@holdfast/core/guard';
import { flakyTool, ManualClock } from '@holdfast/core/testing';

const clock = new ManualClock();
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const search = flakyTool(
  (args: { readonly query?: unknown }) => `3 pages on ${String(args.query)}`,
  {
    script: ['error', 'ok', 'error', 'error', 'error'],
    error: () => reset,
    clock,
  },
);

const runner = createToolRunner({
  clock,
  // Without it, delays are left to chance.
  random: () => 1,
  onEvent: (event) => {
    console.log(`  [${formatGuardEvent(event)}]`);
  },
  tools: [
    {
      name: 'search',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
      // Looking twice does no harm, so it is retried.
      annotations: { readOnlyHint: true },
      execute: (args) => search(args),
    },
  ],
});

const [call] = parseToolCalls(
  '<tool_call>{"name": "search", "arguments": {"query": "tides"}}</tool_call>',
).calls;
assert(call !== undefined);

for (const title of ['it breaks off once', 'it breaks off every time']) {
  console.log(`-- ${title} --`);
  const running = runner.run(call);
  await clock.advance(30_000);
  const outcome = await running;
  console.log(
    outcome.ok ? `result: ${String(outcome.value)}` : `tell the model: ${outcome.message}`,
  );
  console.log(`attempts: ${outcome.attempts}\n`);
}
