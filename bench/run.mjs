import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstall } from './harness/ensure-install.mjs';
import { describeRun, formatGroup, writeResults } from './harness/results.mjs';

const groups = [
  'response-1kb',
  'hermes-141b',
  'json-valid',
  'prose-1mb',
  'dialects',
  'argument-100kb-drip',
  'doubling',
  'repair-quality',
  'guard-closed',
  'guard-open',
  'guard-window',
  'guard-memory',
  'guard-fleet',
  'fleet-scale',
  'proxy',
  'mcp',
  'hook',
];

/**
 * Where each doubling is compared with the one before, the collector must not decide: it copies what lives
 * in steps of its own choosing. With room for all of it, it does not run within a text.
 */
const nodeOptions = { doubling: ['--max-semi-space-size=128'] };

const help = `npm run bench -- [group…] [options]

groups: ${groups.join(', ')} (default: all)

  --write           keep the results in bench/results/, replacing those of the same day and Node
  --check           exit with 1 when a budget is missed
  --skip-slow       leave out the peer that takes half a minute for one stream
  --set <file>      repair-quality: also this file of {input, expected, also?, kind} lines
  --set-name <name> what to call that file in the results (default: given set)
  --machine <text>  what to call the machine in the results
`;

/** Runs one group in a process of its own and returns what it measured. */
function runGroup(name, options) {
  return new Promise((done, failed) => {
    let result;
    const script = fileURLToPath(new URL('run-group.mjs', import.meta.url));
    const child = fork(script, [name, JSON.stringify(options)], {
      execArgv: nodeOptions[name] ?? [],
    });
    child.on('message', (message) => (result = message));
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0 && result !== undefined) done(result);
      else failed(new Error(`${name} ended with exit code ${code}`));
    });
  });
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'skip-slow': { type: 'boolean', default: false },
      set: { type: 'string' },
      'set-name': { type: 'string', default: 'given set' },
      machine: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !groups.includes(name));
  if (unknown !== undefined) throw new Error(`no group ${unknown}; there are ${groups.join(', ')}`);
  return { ...values, names: positionals.length === 0 ? groups : positionals };
}

async function main() {
  const { names, write, check, set, help: wantsHelp, ...rest } = readArguments();
  if (wantsHelp) return console.log(help);
  if (!existsSync(new URL('../packages/core/dist/guard/index.js', import.meta.url)))
    throw new Error('packages/core is not built; run `npm run build` first');
  await ensureInstall();

  const run = describeRun(rest.machine);
  console.log(`Node ${run.node}, ${run.machine}, commit ${run.commit}\n`);
  const options = {
    skipSlow: rest['skip-slow'],
    // npm runs this from the root, whatever folder it was started in.
    set: set === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), set),
    setName: rest['set-name'],
  };
  const results = [];
  for (const name of names) {
    const load = loadavg()[0];
    const result = { ...(await runGroup(name, options)), load };
    results.push(result);
    console.log(`${formatGroup(result)}\n`);
  }

  const rows = results.flatMap(({ tables }) => tables.flatMap((table) => table.rows));
  const missed = rows.filter(({ pass }) => pass === false).length;
  console.log(`${rows.filter(({ pass }) => pass === true).length} budgets met, ${missed} missed`);
  if (write) console.log(`kept in ${writeResults(run, results, groups)}`);
  if (check && missed > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
