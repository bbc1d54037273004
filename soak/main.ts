import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/support/repository.ts';
import { runCalls } from './calls/run-calls.ts';
import { HELP, readArguments } from './read-arguments.ts';
import type { SoakArguments } from './read-arguments.ts';
import { keepResults } from './report/keep-results.ts';
import type { Outcome } from './report/keep-results.ts';
import { summariseOutcome } from './report/summarise-outcome.ts';
import { runSoak } from './run-soak.ts';

const print = (line: string): void => console.log(line);

const DEFAULT_MINUTES = 1;

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  if (given.wantsHelp) {
    print(HELP);
    return;
  }
  if (!existsSync(join(root, 'packages/gateway/dist/cli/main.js')))
    throw new Error('the gateway is not built; run `npm run build` first');
  const { seed } = given;
  print(`soak: ${lengthOf(given)}, seed ${seed}, node ${process.version}`);
  let violations = 0;
  for (const run of runsOf(given)) {
    const outcome = await run();
    violations += outcome.violations.length;
    print(`\n${summariseOutcome(outcome)}\n`);
    if (given.isKept) print(`kept in ${keepResults(outcome)}`);
  }
  print(violations === 0 ? 'no violations' : `${violations} violations; again: --seed ${seed}`);
  if (violations > 0) process.exitCode = 1;
}

function lengthOf({ minutes, calls }: SoakArguments): string {
  if (calls === undefined) return `${minutes ?? DEFAULT_MINUTES} min`;
  return `${calls} calls${minutes === undefined ? '' : `, or ${minutes} min`}`;
}

function runsOf(given: SoakArguments): readonly (() => Promise<Outcome>)[] {
  const { minutes, seed, rate, only, mayMount, calls, parts } = given;
  if (calls === undefined)
    return [
      () => runSoak({ minutes: minutes ?? DEFAULT_MINUTES, seed, rate, only, mayMount, print }),
    ];
  return parts.map((part) => () => runCalls({ part, calls, minutes, seed, print }));
}

// Told to stop, it takes the gateway along, and that its servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
