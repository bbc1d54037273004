import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareTools } from '../scripts/prepare-tools.mjs';
import { root } from '../scripts/run-command.mjs';

const help = `npm run fuzz -- [options]

  --target <name>     only this target, or all that begin with it, as dialect does; may be given several times
  --seconds <n>       how long, all targets together (default: 60)
  --executions <n>    how many inputs, all targets together
  --seed <n>          what decides all that is random (default: 1)
  --continue          go on with what the last run found out, in .cache/fuzz/, besides fuzz/corpus/
  --keep              keep the inputs that take all branches taken, in fuzz/corpus/
  --record            add what was run to fuzz/results/<today>.json
  --limit <seconds>   what one input may take of the processor (default: 10)
  --cache <folder>    where work is kept (default: .cache/fuzz); two runs at a time need two
  --replay <file>     run the input of a finding again, or those of all finds of a file of fuzz/results/
  --blind             do not look at what inputs do: to see what looking is worth
  --list              name the targets

It ends with 1 where something was found; findings are kept in .cache/fuzz/findings/, each with its input.
`;

const cacheAt = process.argv.indexOf('--cache');
const cache = (cacheAt > 0 && process.argv[cacheAt + 1]) || join(root, '.cache', 'fuzz');
const hangingFile = join(cache, 'hanging.json');
const runningFile = join(cache, 'running.json');

/** Runs main.ts with sources that count their branches. Returns its exit code, null where it was ended. */
function runMain(args) {
  const node = [
    '--enable-source-maps',
    '--import',
    new URL('instrument/register.mjs', import.meta.url).href,
    '--conditions=@holdfast/source',
    join(root, 'fuzz', 'main.ts'),
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...node, ...args], { cwd: root, stdio: 'inherit' });
    child.on('close', (code) => resolve(code));
  });
}

/** Written down as other findings are: `--replay` takes it. */
function tellHang(target, input) {
  const message = 'it does not end';
  const file = join(cache, 'findings', `${target}-hang.json`);
  mkdirSync(join(cache, 'findings'), { recursive: true });
  writeFileSync(file, JSON.stringify({ target, key: message, message, input }, undefined, 2));
  console.log(`\n!! ${target}: ${message}\n   text: ${JSON.stringify(input.text)}`);
  console.log(`   choice: ${input.choice}; npm run fuzz -- --replay ${file}\n`);
}

async function main(args) {
  if (args.includes('--help')) return console.log(help);
  await prepareTools({ folder: join(root, 'fuzz') });
  mkdirSync(cache, { recursive: true });
  let from = 0;
  for (;;) {
    rmSync(hangingFile, { force: true });
    const code = await runMain(from === 0 ? args : [...args, '--skip', String(from)]);
    if (code !== null) {
      process.exitCode ||= code;
      return;
    }
    // It was ended from within, by an input that would not end, or from outside.
    process.exitCode = 1;
    if (!existsSync(hangingFile)) return;
    const { index, target } = JSON.parse(readFileSync(runningFile, 'utf8'));
    tellHang(target, JSON.parse(readFileSync(hangingFile, 'utf8')));
    from = index + 1;
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
