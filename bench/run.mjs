import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareTools } from '../scripts/prepare-tools.mjs';
import { budgetFaults, judgeBudgets } from './budgets.mjs';
import { compareWith } from './compare/compare-with.mjs';
import { groupNames, groups } from './groups.mjs';
import { forkGroup } from './harness/fork-group.mjs';
import { newerNode } from './harness/newer-node.mjs';
import { describeRun, formatGroup, writeResults } from './harness/results.mjs';

const tree = fileURLToPath(new URL('..', import.meta.url));

const help = `npm run bench -- [group…] [options]

groups: ${groupNames.join(', ')} (default: all)

  --compare <ref>   what changed since a commit, branch or tag: both builds take turns
  --rounds <n>      with --compare: how often each is run (default: 3)
  --write           keep the results in bench/results/, replacing those of the same day and Node, and the
                    plots in docs/images/
  --check           exit with 1 when a budget is missed, or with --compare, when something is slower
  --one-node        leave out the runs on a newer Node, for peers that want one
  --skip-slow       leave out the peers that take half a minute for one stream
  --set <file>      repair-quality: also this file of {input, expected, also?, kind} lines
  --set-name <name> what to call that file in the results (default: given set)
  --machine <text>  what to call the machine in the results
`;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      compare: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'one-node': { type: 'boolean', default: false },
      'skip-slow': { type: 'boolean', default: false },
      set: { type: 'string' },
      'set-name': { type: 'string', default: 'given set' },
      machine: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !groupNames.includes(name));
  if (unknown !== undefined)
    throw new Error(`no group ${unknown}; there are ${groupNames.join(', ')}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds: expected a number from 1, got ${values.rounds}`);
  return { ...values, rounds, names: positionals.length === 0 ? groupNames : positionals };
}

/** Every group on this Node, and those with peers that want a newer one on that as well. */
async function measure(names, options, onOneNode) {
  const isOnBoth = (name) => !onOneNode && groups[name].onBoth === true;
  const newer = names.some(isOnBoth) ? await newerNode() : undefined;
  const results = [];
  const run = async (name, node) => {
    const result = await forkGroup(name, options, { tree, node });
    results.push(result);
    console.log(`${formatGroup(result)}\n`);
  };
  for (const name of names) {
    await run(name);
    if (newer !== undefined && isOnBoth(name)) await run(name, newer);
  }
  return results;
}

function report(results) {
  const faults = results.flatMap(({ group, tables }) => budgetFaults({ name: group, tables }));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const verdicts = judgeBudgets(results).filter(({ rows }) => rows > 0);
  const missed = verdicts.filter((one) => one.missed > 0);
  console.log(`${verdicts.length - missed.length} budgets met, ${missed.length} missed`);
  for (const { id, groups: where } of missed) console.log(`  missed: ${id} (${where.join('; ')})`);
  return missed.length;
}

async function main() {
  const { names, compare, rounds, write, check, set, ...rest } = readArguments();
  if (rest.help) return console.log(help);
  await prepareTools({ folder: fileURLToPath(new URL('.', import.meta.url)), builds: true });

  const run = describeRun(rest.machine);
  console.log(`Node ${run.node}, ${run.machine}, commit ${run.commit}\n`);
  const options = {
    skipSlow: rest['skip-slow'] || compare !== undefined,
    // npm runs this from the root, whatever folder it was started in.
    set: set === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), set),
    setName: rest['set-name'],
  };
  if (compare !== undefined) {
    const slower = await compareWith(compare, { names, rounds, options, tree });
    if (check && slower > 0) process.exitCode = 1;
    return;
  }
  const results = await measure(names, options, rest['one-node']);
  const missed = report(results);
  if (write) console.log(`kept in ${writeResults(run, results)}`);
  if (check && missed > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
