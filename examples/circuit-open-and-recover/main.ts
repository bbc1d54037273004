// A circuit around a payment service: it opens, refuses, tries one call, and closes again. Time is moved by hand.
import assert from 'node:assert/strict';
import { CircuitBreaker, formatGuardEvent } from '@holdfast/core/guard';
import { ManualClock } from '@holdfast/core/testing';

const clock = new ManualClock();
let isDown = true;
let asked = 0;

const circuit = new CircuitBreaker(
  'payments',
  { consecutiveFailures: 3, openForMs: 30_000 },
  {
    clock,
    onEvent: (event) => {
      console.log(`  [${formatGuardEvent(event)}]`);
    },
  },
);

async function pay(): Promise<void> {
  const result = await circuit
    .call(() => {
      asked++;
      if (isDown) throw Object.assign(new Error('Bad Gateway'), { status: 502 });
      return 'paid';
    })
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  console.log(`${circuit.state}: ${result}`);
}

console.log('-- three failures open it --');
for (let call = 0; call < 3; call++) await pay();

console.log('\n-- now nobody waits for a service that is down --');
await pay();
await pay();
assert.equal(asked, 3);

console.log('\n-- after 30 s one call finds out: still down --');
await clock.advance(30_000);
await pay();

console.log('\n-- after 30 s more it is well again --');
isDown = false;
await clock.advance(30_000);
await pay();
await pay();

assert.equal(asked, 6);
assert.equal(circuit.state, 'closed');
console.log(circuit.history.map(({ from, to, reason }) => `${from} → ${to}: ${reason}`).join('\n'));
