import { OURS } from '../harness/figures.mjs';
import { forkGroup } from '../harness/fork-group.mjs';
import { digits } from '../harness/table.mjs';
import { compareFigures } from './compare-figures.mjs';
import { formatComparison } from './format-comparison.mjs';
import { prepareRef } from './prepare-ref.mjs';

/**
 * Measures the build of another commit beside this one, with the benchmarks of this one: fresh processes that
 * take turns, each round in the other order. Returns how many figures are slower.
 */
export async function compareWith(ref, { names, rounds, options, tree }) {
  const other = await prepareRef(ref, tree, (line) => console.log(line));
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const sides = { before: [], after: [] };
    for (const name of names) {
      const order = round % 2 === 0 ? ['before', 'after'] : ['after', 'before'];
      for (const side of order) {
        const { figures, load } = await forkGroup(name, options, {
          tree: side === 'before' ? other.tree : tree,
        });
        sides[side].push(...(figures ?? []).map((figure) => ({ ...figure, group: name })));
        console.log(`round ${round + 1} of ${rounds}: ${name}, ${side}, load ${digits(load)}`);
      }
    }
    measured.push(sides);
  }
  const result = compareFigures(measured);
  console.log(`\n${formatComparison(result, `${ref} (${other.sha.slice(0, 7)})`, rounds)}`);
  return result.rows.filter(({ of, verdict }) => of === OURS && verdict === 'slower').length;
}
