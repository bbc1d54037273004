// `npm run accuracy [-- <folder of vectors>]`: how often things are read right, beside the peers.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareTools } from '../scripts/prepare-tools.mjs';
import { newerNode } from './harness/newer-node.mjs';

const help = `npm run accuracy [-- <folder of vectors>]

Reads our corpus, broken JSON and results of tools, and the vectors of a folder where one is given (JSON Lines, as
\`npm run conformance\` takes them), through Holdfast and its peers, and keeps the counts in
bench/results/accuracy-<day>.md and .json.
`;

/** On the newest Node, which the newest peers need; what is read does not depend on it. */
async function main() {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === '--help') return console.log(help);
  if (more.length > 0) throw new Error(`expected one folder at most\n${help}`);
  await prepareTools({ folder: fileURLToPath(new URL('.', import.meta.url)), builds: true });
  const node = (await newerNode()) ?? process.execPath;
  const script = fileURLToPath(new URL('accuracy/main.mjs', import.meta.url));
  // npm runs this from the root, whatever folder it was started in.
  const given =
    folder === undefined ? [] : [resolve(process.env.INIT_CWD ?? process.cwd(), folder)];
  const child = spawn(node, [script, ...given], { stdio: 'inherit' });
  process.exitCode = await new Promise((done) => child.on('close', (code) => done(code ?? 2)));
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
