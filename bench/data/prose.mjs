import { flat } from '../harness/flat.mjs';
import { createRandom } from './random.mjs';

const words =
  `the a of to and in that it is was for on with as at by from this which have not are but they were one all
  when there can more if out so what up about into than them then some could time these other only new
  harbour keeper anchor rope current station window letter number signal evening morning weather repair
  machine answer question result garden kitchen bridge mountain river market language teacher station
  carefully slowly almost usually perhaps together quietly certainly early later always between without
  carry measure describe consider remember follow return gather compare explain arrive remain begin`
    .split(/\s+/)
    .filter((word) => word !== '');

const marks = ['.', '.', '.', '?', '!', ';', ':'];

/** What answers about code have in them: the characters a call could begin with, and no call. */
const asides = [
  'a `Map<string, number[]>` here',
  'if (a < b && b > c)',
  'see [the notes](notes.md)',
  'the list [1, 2, 3]',
  'an object { a: 1 }',
  '```js\nconst { a, b } = read(<div>[a]</div>);\n```',
  'the tag <strong>bold</strong>',
  'an empty {} or []',
  'x <= 3',
  '{{ name }}',
  '[x] done, [ ] open',
  'a `<tool>` of some kind',
];

const foreign = ['naïve', 'café', '“quoted”', '—', '…', 'Größe', '東京', '→', '✓', '🙂'];

/** Text of about `length` characters in sentences and paragraphs. */
export function writeProse(seed, length, kind = 'plain') {
  const { below, pick, next } = createRandom(seed);
  const parts = [];
  let written = 0;
  const push = (part) => {
    parts.push(part);
    written += part.length;
  };
  while (written < length) {
    const first = pick(words);
    push(first.charAt(0).toUpperCase() + first.slice(1));
    const count = 4 + below(16);
    for (let word = 0; word < count; word++) {
      push(next() < 0.08 ? ', ' : ' ');
      push(kind === 'foreign' && next() < 0.05 ? pick(foreign) : pick(words));
    }
    if (kind === 'code' && next() < 0.3) push(` ${pick(asides)}`);
    push(pick(marks));
    push(next() < 0.15 ? '\n\n' : ' ');
  }
  return flat(parts.join('').slice(0, length));
}
