// `npm run accuracy [-- <folder>] [--write]`: how often things are read right.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareTools } from '../scripts/prepare-tools.mjs';
import { isRecorded, layout } from './accuracy/recorded/layout.mjs';
import { newerNode } from './harness/newer-node.mjs';

const help = `npm run accuracy [-- <folder>] [-- --write]

Reads our corpus, broken JSON and results of tools, and the vectors of a folder where one is given (JSON Lines, as
\`npm run conformance\` takes them), through Holdfast and its peers.

With a folder of recorded output of models and tools (calls/, json/, steps/, tools.jsonl), it reads that alone, through
Holdfast, and prints the counts.

  --write   keep the counts in bench/results/accuracy-<day> or recorded-<day>, as .md and .json
`;

async function main() {
  const args = process.argv.slice(2);
  const [given, ...more] = args.filter((arg) => arg !== '--write');
  if (given === '--help') return console.log(help);
  if (more.length > 0 || given?.startsWith('-') === true)
    throw new Error(`expected one folder at most\n${help}`);
  // npm runs this from the root, whatever folder it was started in.
  const folder = given && resolve(process.env.INIT_CWD ?? process.cwd(), given);
  const isOutput = folder !== undefined && isRecorded(folder);
  if (folder !== undefined && !isOutput) checkVectors(folder);
  const options = args.includes('--write') ? ['--write'] : [];
  const own = fileURLToPath(new URL('.', import.meta.url));
  await prepareTools(isOutput ? { builds: true } : { folder: own, builds: true });
  // On the newest Node, which the newest peers need; what is read does not depend on it.
  const node = isOutput ? process.execPath : ((await newerNode()) ?? process.execPath);
  const script = `${own}accuracy/${isOutput ? 'recorded' : 'main'}.mjs`;
  const child = spawn(node, [script, ...(folder === undefined ? [] : [folder]), ...options], {
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((done) => child.on('close', (code) => done(code ?? 2)));
}

/** A folder that holds neither is most likely a wrong path. */
function checkVectors(path) {
  if (!existsSync(path)) throw new Error(`${path}: there is no such file or folder`);
  if (!statSync(path).isDirectory() || readdirSync(path).some((name) => name.endsWith('.jsonl')))
    return;
  throw new Error(`${path}: holds neither vectors (.jsonl files) nor recorded output; ${layout}`);
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
