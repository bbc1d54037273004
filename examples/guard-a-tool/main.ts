// A tool that goes down and comes back: what the model is told, and how often the tool is really asked.
import assert from 'node:assert/strict';
import { createToolRunner, parseToolCalls } from '@holdfast/core';
import { formatGuardEvent } from '@holdfast/core/guard';
import { ManualClock } from '@holdfast/core/testing';

const clock = new ManualClock();
let isDown = false;
let asked = 0;

const runner = createToolRunner({
  clock,
  onEvent: (event) => {
    console.log(`  [${formatGuardEvent(event)}]`);
  },
  tools: [
    {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      execute: ({ city }) => {
        asked++;
        if (isDown) throw Object.assign(new Error('Service Unavailable'), { status: 503 });
        return `Sunny in ${JSON.stringify(city)}`;
      },
    },
  ],
});

const [call] = parseToolCalls(
  '<tool_call>{"name": "get_weather", "arguments": {"city": "Lisbon"}}</tool_call>',
).calls;
assert(call !== undefined);

async function tryIt(): Promise<void> {
  assert(call !== undefined);
  const outcome = await runner.run(call);
  console.log(
    outcome.ok ? `result: ${String(outcome.value)}` : `tell the model: ${outcome.message}`,
  );
}

await tryIt();

console.log('\n-- the service goes down --');
isDown = true;
for (let failure = 0; failure < 5; failure++) await tryIt();

console.log('\n-- the model tries again --');
await tryIt();
assert.equal(asked, 6, 'the tool was not asked while the circuit was open');

console.log('\n-- a minute later it is up again --');
isDown = false;
await clock.advance(60_000);
await tryIt();
assert.equal(runner.circuits.get('get_weather').state, 'closed');
