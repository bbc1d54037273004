import { Choices } from './fuzz-input.ts';
import type { FuzzInput } from './fuzz-input.ts';
import type { EdgeMap } from './edge-map.ts';
import { BrokenLaw } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';

const SIZES = [4096, 8192, 16_384, 32_768] as const;
/** Twice the text may cost this much more. */
const MOST_PER_DOUBLING = 2.3;
/** What the largest of the texts may take: a hundred times what is usual. */
const MOST_MS = 500;

/**
 * Makes a long text of an input, by repeating a part of it, and holds what its reading costs against half of it, a
 * quarter and an eighth: counted in branches, which is the same on any machine, and in time for what runs natively.
 */
export function checkGrowth(target: FuzzTarget, input: FuzzInput, edges: EdgeMap): void {
  if (target.readOnce === undefined || input.text === '') return;
  const read = (text: string): void => target.readOnce?.(text);
  const costs: number[] = [];
  // Where twice the text costs twice as much, nothing more is asked.
  do {
    edges.clear();
    read(pump(input, SIZES[costs.length] ?? 1));
    costs.push(edges.look().steps);
  } while (costs.length < SIZES.length && isSteep(costs));
  edges.clear();
  if (isSteep(costs))
    throw new BrokenLaw(
      'what reading costs grows no faster than the text',
      `${SIZES.join(', ')} characters take ${costs.join(', ')} branches`,
    );
  const ms = fastestOf(() => read(pump(input, SIZES[3])));
  edges.clear();
  if (ms > MOST_MS)
    throw new BrokenLaw(
      'a long text is read in time',
      `${SIZES[3]} characters take ${Math.round(ms)} ms`,
    );
}

/** Whether each cost more than twice the one before; one alone is not known to be less. */
function isSteep(costs: readonly number[]): boolean {
  return costs.every((cost, at) => at === 0 || cost > (costs[at - 1] ?? 0) * MOST_PER_DOUBLING);
}

/** The input with a part of it repeated until it is `size` long. */
export function pump({ text, choice }: FuzzInput, size: number): string {
  const choices = new Choices(choice);
  const isWhole = choices.flag();
  const from = isWhole ? 0 : choices.below(text.length);
  const length = isWhole ? text.length : 1 + choices.below(text.length - from);
  const part = text.slice(from, from + length);
  const rest = text.length - part.length;
  const times = Math.max(1, Math.ceil((size - rest) / part.length));
  return text.slice(0, from) + part.repeat(times) + text.slice(from + length);
}

/** In time of the processor. Again only if it took too long: there may have been something to collect or to compile. */
function fastestOf(work: () => void): number {
  let fastest = Infinity;
  for (let tries = 0; tries < 4 && fastest > MOST_MS; tries++) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}
