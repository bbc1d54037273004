import type { FuzzInput } from './fuzz-input.ts';

/**
 * The shortest input found by leaving out parts for which `isStillIt` holds. It asks at most `mostTries` times.
 */
export async function shrink(
  input: FuzzInput,
  isStillIt: (input: FuzzInput) => boolean | Promise<boolean>,
  mostTries: number,
): Promise<FuzzInput> {
  let best = input;
  let tries = 0;
  for (const choice of [0, input.choice & 0xff, input.choice & 0xffff]) {
    const simpler = { ...best, choice };
    if (tries++ < mostTries && (await isStillIt(simpler))) {
      best = simpler;
      break;
    }
  }
  for (let size = Math.ceil(best.text.length / 2); size > 0; size = Math.floor(size / 2)) {
    let at = 0;
    while (at < best.text.length) {
      if (tries++ >= mostTries) return best;
      const text = best.text.slice(0, at) + best.text.slice(at + size);
      const shorter = { ...best, text };
      if (await isStillIt(shorter)) best = shorter;
      else at += size;
    }
  }
  return best;
}
