import { isRate, OURS } from '../harness/figures.mjs';

/** What nobody can tell from noise, however quiet the machine was. */
const LEAST_NOISE = 0.02;

/**
 * What became of each figure between two builds, `rounds` being `{ before, after }` with the figures of one run of
 * each. The best of all rounds are compared. `ratio` is how much more the figure costs than before, whatever its
 * unit: above 1 is worse. `low` and `high` are the least and the most of the single rounds.
 *
 * A figure of a peer is the same program on both sides, so what it moved by is noise: ours have moved only where
 * they moved by more than nine of ten peers did, in one direction in every round.
 */
export function compareFigures(rounds) {
  const names = [
    ...new Set(rounds.flatMap(({ before, after }) => [...before, ...after].map(keyOf))),
  ];
  const rows = names.map((key) => compareOne(key, rounds));
  const both = rows.filter(({ ratio }) => ratio !== undefined);
  const noise = noiseOf(both.filter(({ of }) => of !== OURS));
  return {
    noise,
    rows: both.map((row) => ({ ...row, verdict: judge(row, noise) })),
    onlyBefore: rows.filter(({ side }) => side === 'before').map(({ name }) => name),
    onlyAfter: rows.filter(({ side }) => side === 'after').map(({ name }) => name),
  };
}

const keyOf = ({ group, of, name }) => `${group}\n${of}\n${name}`;

function compareOne(key, rounds) {
  const [group, of, name] = key.split('\n');
  const pick = (figures) => figures.find((figure) => keyOf(figure) === key);
  const pairs = rounds.map(({ before, after }) => [pick(before), pick(after)]);
  const whole = pairs.filter(([before, after]) => before !== undefined && after !== undefined);
  if (whole.length === 0) {
    const side = pairs.some(([before]) => before !== undefined) ? 'before' : 'after';
    return { group, of, name, side };
  }
  const best = (at) => bestOf(whole.map((pair) => pair[at]));
  const [{ unit }] = whole[0];
  const ratios = whole.map(([before, after]) => costRatio(before, after));
  return {
    group,
    of,
    name,
    unit,
    before: best(0).best,
    after: best(1).best,
    ratio: costRatio(best(0), best(1)),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
  };
}

function bestOf(figures) {
  return figures.reduce((one, other) => (costRatio(one, other) < 1 ? other : one));
}

/** How much more `after` costs than `before`: of a rate, how much less there is. */
function costRatio(before, after) {
  return isRate(before) ? before.best / after.best : after.best / before.best;
}

function noiseOf(peers) {
  const moves = peers.map(({ ratio }) => Math.abs(Math.log(ratio))).sort((a, b) => a - b);
  const most = moves[Math.min(moves.length - 1, Math.floor(moves.length * 0.9))] ?? 0;
  return Math.max(LEAST_NOISE, Math.exp(most) - 1);
}

function judge({ ratio, low, high }, noise) {
  if (ratio > 1 + noise && low > 1) return 'slower';
  if (ratio < 1 / (1 + noise) && high < 1) return 'faster';
  return 'same';
}

/** Rows of ours as a person wants them: what is slower first, then what is faster. */
export function sortRows(rows) {
  const order = ['slower', 'faster', 'same'];
  const place = ({ verdict }) => order.indexOf(verdict);
  const size = ({ ratio }) => Math.abs(Math.log(ratio));
  return rows.toSorted((one, other) => place(one) - place(other) || size(other) - size(one));
}
