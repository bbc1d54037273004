import { flat } from '../harness/flat.mjs';
import { writeProse } from './prose.mjs';
import { createRandom } from './random.mjs';

const codeLines = [
  'import { readFile } from "node:fs/promises";',
  'export function total(rows) {',
  '  return rows.reduce((sum, row) => sum + row.price * row.count, 0);',
  "  const path = 'C:\\\\data\\\\report.txt';",
  '  if (name === "" || name.length > 80) throw new Error(`bad name: ${name}`);',
  '\tconst pattern = /^\\s*"(.*)"\\s*$/;',
  '}',
  '',
  '// keeps what was written, byte for byte',
  '  <li class="row">{item.title}</li>',
];

/** Source code of about `length` characters. */
export function writeCode(seed, length) {
  const { pick } = createRandom(seed);
  let code = '';
  while (code.length < length) code += `${pick(codeLines)}\n`;
  return flat(code.slice(0, length));
}

function makeRow({ below, next, pick }, index) {
  return {
    id: index,
    sku: `HF-${below(1e6)}`,
    price: Math.round(next() * 1e5) / 100,
    count: below(40),
    inStock: next() < 0.7,
    tags: [pick(['rope', 'anchor', 'chain']), pick(['new', 'used'])],
    note: next() < 0.2 ? 'said "as new", see\nthe photo' : null,
    size: { width: below(200), height: below(200) },
  };
}

/** Arguments whose JSON is about `length` characters. */
function makeRows(seed, length) {
  const random = createRandom(seed);
  const rows = [];
  let written = 0;
  while (written < length - 160) {
    const row = makeRow(random, rows.length);
    rows.push(row);
    written += JSON.stringify(row).length + 1;
  }
  return { table: 'orders', rows };
}

/** Arguments of the sizes tool calls have: a lookup, an edit, a file that is written, a table that is sent. */
export const argumentKinds = {
  '200 B': (seed) => ({
    path: `src/parts/part-${createRandom(seed).below(1000)}.ts`,
    query: writeProse(seed, 90),
    limit: createRandom(seed).below(50),
    recursive: true,
    kinds: ['file', 'folder'],
  }),
  '1 KB': (seed) => ({
    path: 'src/orders/total.ts',
    edits: [
      { from: 12, to: 19, text: writeCode(seed, 300) },
      { from: 40, to: 41, text: writeCode(seed + 1, 200) },
    ],
    reason: writeProse(seed, 280),
    dryRun: false,
  }),
  '100 KB string': (seed) => ({ path: 'src/main.ts', content: writeCode(seed, 94_000) }),
  '100 KB rows': (seed) => makeRows(seed, 102_000),
};

export const toJson = (value) => flat(JSON.stringify(value));

const hostileStrings = [
  '{',
  '}',
  '{"a":1}',
  '"',
  '\\',
  '\\"',
  "it's",
  '// not a comment',
  '/* nor this */',
  '```json',
  '</tool_call>',
  '<tool_call>',
  'True',
  'None',
  'NaN',
  'a, b: c',
  '[1, 2',
  '\n\t\u0000\u2028',
  '“quoted”',
  '🙂\ud83d',
  'C:\\new\\table',
  '&quot;',
  '__proto__',
  '',
];

/** A random valid document with strings in it that a careless repair would touch. */
export function makeDocument(random, depth = 0) {
  const { below, next, pick } = random;
  const kind = next();
  if (depth < 4 && (kind < 0.35 || depth === 0)) {
    const entries = Array.from({ length: below(5) }, () => [
      next() < 0.2 ? pick(hostileStrings) : `key${below(20)}`,
      makeDocument(random, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }
  if (depth < 4 && kind < 0.5) {
    return Array.from({ length: below(5) }, () => makeDocument(random, depth + 1));
  }
  if (kind < 0.8) return pick(hostileStrings) + (next() < 0.4 ? pick(hostileStrings) : '');
  if (kind < 0.92) return next() < 0.5 ? below(1e6) - 5e5 : (next() - 0.5) * 10 ** (below(40) - 20);
  return pick([true, false, null]);
}

/** A document in one of the spellings that JSON allows. */
export function spellDocument(value, random) {
  const indent = random.pick([0, 0, 1, 2, '\t']);
  const text = JSON.stringify(value, undefined, indent);
  return random.next() < 0.1 ? ` ${text}\r\n` : text;
}
