import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, instrument } from './instrument.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const coverageUrl = new URL('./coverage.ts', import.meta.url).href;

/** The first counter that no module has yet. */
let free = 0;

/** Compiles TypeScript; what is being tested, and the toys, get counters. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const file = relative(root, path).split(sep).join('/');
  const text = await readFile(path, 'utf8');
  return { format: 'module', source: toSource(text, file), shortCircuit: true };
}

function toSource(text, file) {
  if (!/^packages\/[^/]+\/src\/|^fuzz\/toys\//.test(file)) return compile(text, file);
  const { source, count } = instrument(text, { file, first: free, coverageUrl });
  free += count;
  return source;
}
