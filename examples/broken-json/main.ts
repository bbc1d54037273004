// JSON as local models write it. Every repair is listed, so that the caller can decide what to trust.
import assert from 'node:assert/strict';
import { parseJson } from '@holdfast/core/parse';

const written = [
  '{"path": "notes.md", "lines": 20}',
  "{'path': 'notes.md', 'all': True,}",
  '{path: "notes.md" "lines": 20}',
  '{"find": "say "hi" to me"}',
  String.raw`{"path": "C:\Users\notes.md"}`,
  '{"path": "notes.md", "lines": [1, 2',
  '{"path": "notes.md", "lines": NaN}',
  'I do not know.',
];

let trusted = 0;
for (const text of written) {
  const read = parseJson(text);
  console.log(text);
  if (!read.ok) {
    console.log(`  no: ${read.message}`);
    continue;
  }
  const isTrusted = read.complete && !read.lossy;
  if (isTrusted) trusted++;
  const verdict = isTrusted ? 'yes' : read.complete ? 'lossy' : 'incomplete';
  const repairs = read.repairs.length === 0 ? '' : ` (${read.repairs.join(', ')})`;
  console.log(`  ${verdict}: ${JSON.stringify(read.value)}${repairs}`);
}

assert.equal(trusted, 5);
