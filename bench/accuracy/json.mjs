import { matches } from '../../scripts/conformance/matches.ts';
import { attempt, runHazards, runIdentity } from '../groups/repair-quality.mjs';
import { OURS } from '../harness/figures.mjs';
import { parseJson } from '../core.mjs';
import { readers } from '../peers.mjs';
import { share } from './calls.mjs';

const about =
  'Exact: the value that was meant, or nothing where there is none; of a truncated text we also have to say that it is incomplete. Silently wrong: another value, and nothing that says so. Marked: another value from a reader that says that it is incomplete or that something may be lost.';

/** What each reader makes of texts that stand for one value. */
export async function measureJson(id, title, cases) {
  const rows = [];
  const results = [];
  for (const { name, label = name, read } of readers) {
    const counts = { exact: 0, silent: 0, marked: 0, refused: 0 };
    for (const one of cases) counts[await judge(name === OURS ? readOurs(one) : read, one, name)]++;
    results.push({ name: label, of: cases.length, ...counts });
    const { exact, ...others } = counts;
    rows.push({ cells: [label, share(exact, cases.length), ...Object.values(others)] });
  }
  rows.sort((one, other) => exactOf(other) - exactOf(one));
  const columns = ['reader', 'exact', 'silently wrong', 'wrong, but marked', 'refused'];
  return { id, title, about, tables: [{ title: `${cases.length} texts`, columns, rows }], results };
}

const exactOf = ({ cells }) => Number.parseInt(cells[1], 10);

/** Ours is told whether a call or any value is meant, which changes what it takes for noise. */
function readOurs({ expectsCall }) {
  return (text, note) => {
    const result = parseJson(text, { expect: expectsCall ? 'call' : 'value' });
    if (!result.ok) return undefined;
    note({ isMarked: !result.complete || result.lossy, isComplete: result.complete });
    return result.value;
  };
}

async function judge(read, { input, accepted, isTruncated }, name) {
  const outcome = await attempt(read, input);
  if (outcome.refused) return isNothing(accepted) ? 'exact' : 'refused';
  const isMeant = accepted.some((expected) => matches(expected, outcome.value));
  if (isMeant && !(name === OURS && isTruncated && outcome.isComplete)) return 'exact';
  return outcome.isMarked ? 'marked' : 'silent';
}

/** A reader that returns null has found null, or nothing. */
const isNothing = (accepted) => accepted.length === 0 || accepted.includes(null);

export async function measureIdentity() {
  const results = {};
  const table = await runIdentity(results);
  const text = 'Random documents in spellings that JSON allows, which nobody may change.';
  return { id: 'identity', title: 'Valid JSON', about: text, tables: [table], results };
}

export async function measureHazards() {
  const results = {};
  const table = await runHazards(results);
  const text = 'The key `__proto__`, and depth.';
  return { id: 'hazards', title: 'Hazards', about: text, tables: [table], results };
}
