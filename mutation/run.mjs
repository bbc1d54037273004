import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareTools } from '../scripts/prepare-tools.mjs';
import { installRuntime, runtimes } from '../scripts/runtimes.mjs';
import { root } from '../scripts/run-command.mjs';

const help = `npm run mutation -- [options]

  --files <glob>   only these files, of those that are mutated; may be given several times
  --force          ask anew what was found out before and should still hold
  --last           run nothing, and tell what was found out last
  --write          keep the result in mutation/results/, by day
  --quiet          no progress, only the result

It ends with 1 where a mutant survived that mutation/explained.json does not explain, or where that explains one
that is not there.
`;

// Stryker wants a newer Node than the oldest we run on.
const node = runtimes.find(({ name }) => name === 'node 24');

async function main(args) {
  if (args.includes('--help')) return console.log(help);
  await prepareTools({ folder: join(root, 'mutation') });
  const { ok, output, program } = await installRuntime(node);
  if (!ok) throw new Error(`Node 24 could not be installed:\n${output}`);
  // Minutes of one core that nobody waits for.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const file = fileURLToPath(new URL('main.mjs', import.meta.url));
  const child = spawn(program, [file, ...args], { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) =>
    child.on('close', (code) => resolve(code ?? 2)),
  );
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
