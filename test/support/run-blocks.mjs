// Imports code blocks one after the other in this one process, and prints what went wrong as JSON.
// Arguments: a JSON file with [{ place, path }].
import { readFileSync } from 'node:fs';
import { format } from 'node:util';
import { pathToFileURL } from 'node:url';

const problems = [];
let place = '';
let printed;

const describe = (error) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
// A long value is printed over several lines; a page shows it on one.
const oneLine = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();

// eslint-disable-next-line no-console -- what a block prints is what is compared
console.log = (...values) => {
  printed = format(...values);
};
globalThis.docsPrinted = (where, expected) => {
  if (printed === undefined) problems.push(`${where} expected ${expected}\n  but printed nothing`);
  else if (oneLine(printed) !== expected) {
    problems.push(`${where} expected ${expected}\n  but printed ${oneLine(printed)}`);
  }
  printed = undefined;
};
process.on('unhandledRejection', (error) => problems.push(`${place} ${describe(error)}`));
process.on('uncaughtException', (error) => problems.push(`${place} ${describe(error)}`));

for (const block of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  place = block.place;
  printed = undefined;
  try {
    await import(pathToFileURL(block.path).href);
  } catch (error) {
    problems.push(`${place} ${describe(error)}`);
  }
}

// A block may leave a timer or a socket open; the page is over all the same.
process.stdout.write(JSON.stringify(problems), () => process.exit(0));
