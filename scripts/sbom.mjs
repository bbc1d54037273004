import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './run-command.mjs';
import { createSbom } from './supply-chain/create-sbom.mjs';

// npm run sbom: the software bill of materials of what we ship, in CycloneDX, from the lockfile alone. `npm sbom` lists
// all that the workspace is built with, and is slow.
//
// npm run --silent sbom               prints it
// npm run sbom -- --output <file>     writes it

const { output } = readArguments();
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const sbom = createSbom(readJson('package-lock.json'), (folder) =>
  readJson(`${folder}/package.json`),
);
const text = `${JSON.stringify(sbom, undefined, 2)}\n`;
if (output === undefined) process.stdout.write(text);
else {
  // npm runs scripts at the root, wherever it was called.
  writeFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), output), text);
  console.log(`${output}: ${sbom.components.length} components`);
}

function readArguments() {
  try {
    return parseArgs({ options: { output: { type: 'string' } } }).values;
  } catch (error) {
    console.error(`${error.message}\nusage: npm run sbom -- [--output <file>]`);
    return process.exit(2);
  }
}
