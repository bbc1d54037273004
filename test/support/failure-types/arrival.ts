import { createToolRunner } from '@holdfast/core';
import { CircuitBreaker, Executor, readReturned, readThrown } from '@holdfast/core/guard';
import type { FailureClass } from '@holdfast/core/guard';
import { ManualClock } from '@holdfast/core/testing';

/** How a failure reaches the guard: thrown by a tool, returned by one, or made by the guard itself. */
export type Arrival = { readonly as: string } & (
  | { readonly thrown: unknown }
  | { readonly returned: unknown }
  | { readonly run: () => Promise<FailureClass> }
);

/** The class the guard gives it. */
export async function classOfArrival(arrival: Arrival): Promise<FailureClass> {
  if ('thrown' in arrival) return readThrown(arrival.thrown).class;
  if ('run' in arrival) return arrival.run();
  const failure = readReturned(arrival.returned);
  if (failure === undefined) throw new Error(`${arrival.as}: the guard sees no failure`);
  return failure.class;
}

/** Something that never ends, behind a timeout. */
export async function hangs(): Promise<FailureClass> {
  const clock = new ManualClock();
  const executor = new Executor({ timeoutMs: 1000, clock });
  const outcome = executor.run(() => new Promise<never>(() => undefined));
  await clock.advance(1000);
  return classOf(await outcome);
}

export async function refused(): Promise<FailureClass> {
  const breaker = new CircuitBreaker('shop');
  breaker.isolate('closed');
  return classOf(await new Executor({ circuits: [breaker] }).run(() => 'paid'));
}

export async function aborted(): Promise<FailureClass> {
  const controller = new AbortController();
  const outcome = new Executor().run(
    ({ signal }) => {
      controller.abort();
      signal.throwIfAborted();
    },
    { signal: controller.signal },
  );
  return classOf(await outcome);
}

export const misnamed = (): Promise<FailureClass> => runOne('shutdown', {});

export const misfits = (): Promise<FailureClass> => runOne('read_file', { lines: 3 });

async function runOne(name: string, args: Record<string, number>): Promise<FailureClass> {
  const runner = createToolRunner({
    tools: [
      {
        name: 'read_file',
        parameters: {
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
        },
        execute: () => 'text',
      },
    ],
  });
  const outcome = await runner.run({
    id: 'call_1',
    name,
    arguments: args,
    format: 'code',
    repairs: [],
    complete: true,
    lossy: false,
  });
  return classOf(outcome);
}

type Ended =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: { readonly class: FailureClass } };

function classOf(outcome: Ended): FailureClass {
  if (outcome.ok) throw new Error('expected a failure');
  return outcome.failure.class;
}
