import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/support/repository.ts';
import { runCalls } from './calls/run-calls.ts';
import { HELP, readArguments } from './read-arguments.ts';
import { keepResults } from './report/keep-results.ts';
import { summariseCalls } from './report/summarise-calls.ts';
import { summarise } from './report/summarise.ts';
import { runSoak } from './run-soak.ts';

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  if (given.wantsHelp) {
    console.log(HELP);
    return;
  }
  if (!existsSync(join(root, 'packages/gateway/dist/cli/main.js')))
    throw new Error('the gateway is not built; run `npm run build` first');
  const print = (line: string): void => console.log(line);
  const { minutes, seed, rate, only, calls } = given;
  print(
    `soak: ${minutes} min, seed ${seed}, ${calls ?? 'no'} calls asked for, node ${process.version}`,
  );
  const isCalls = calls !== undefined;
  const outcome = isCalls
    ? await runCalls({ calls, minutes, seed, print })
    : await runSoak({ minutes, seed, rate, only, print });
  print(`\n${'inProcess' in outcome ? summariseCalls(outcome) : summarise(outcome)}\n`);
  if (given.isKept) print(`kept in ${keepResults(isCalls ? 'calls' : 'faults', outcome)}`);
  const { length } = outcome.violations;
  print(length === 0 ? 'no violations' : `${length} violations; again: --seed ${seed}`);
  if (length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
