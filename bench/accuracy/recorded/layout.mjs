import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['calls', 'json', 'steps'];

/** What every row of a folder has. */
const FIELDS = {
  calls: ['model', 'raw'],
  json: ['raw', 'expected'],
  steps: ['session', 'result', 'is_error', 'exit_code'],
};

export const layout = `recorded output is a folder with calls/, json/ and steps/ (any of them, each with .jsonl files) and tools.jsonl`;

/** Whether a folder holds recorded output of models and tools. */
export function isRecorded(folder) {
  const places = FOLDERS.map((name) => join(folder, name));
  return places.some((place) => existsSync(place) && statSync(place).isDirectory());
}

/** The sources by folder, each as `{ source, rows() }`, and the tools that were offered, by key. */
export function readRecorded(folder) {
  if (!isRecorded(folder)) throw new Error(`${folder}: not recorded output; ${layout}`);
  const [calls, json, steps] = FOLDERS.map((name) => sourcesIn(folder, name));
  if (calls.length + json.length + steps.length === 0)
    throw new Error(`${folder}: holds no .jsonl file; ${layout}`);
  const file = join(folder, 'tools.jsonl');
  const tools = existsSync(file) ? readLines(file, ['key', 'tools']) : [];
  return { calls, json, steps, tools: new Map(tools.map(({ key, tools: list }) => [key, list])) };
}

function sourcesIn(folder, name) {
  const place = join(folder, name);
  if (!existsSync(place)) return [];
  const files = readdirSync(place).filter((file) => file.endsWith('.jsonl'));
  return files.map((file) => ({
    source: file.slice(0, -'.jsonl'.length),
    rows: () => readLines(join(place, file), FIELDS[name]),
  }));
}

function readLines(file, fields) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) =>
    line === '' ? [] : [readRow(line, fields, `${file}:${at + 1}`)],
  );
}

function readRow(line, fields, where) {
  let row;
  try {
    row = JSON.parse(line);
  } catch (error) {
    throw new Error(`${where}: not JSON: ${error.message}`, { cause: error });
  }
  const missing = fields.filter((field) => row?.[field] === undefined);
  if (missing.length > 0)
    throw new Error(`${where}: the row has no ${missing.join(', ')}; ${layout}`);
  return row;
}
