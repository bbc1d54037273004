/** A number in [0, 1), as `Math.random`. */
export type Random = () => number;

export const systemRandom: Random = Math.random;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PAIR_COUNT = ALPHABET.length ** 2;

/** All sequences of two letters: an id is put together from few pieces, which is most of what it costs. */
let pairs: readonly string[] = [];

/** An id of the length and letters OpenAI uses, so that clients that check its shape accept it. */
export function callId(random: Random = systemRandom): string {
  if (pairs.length === 0) pairs = Array.from({ length: PAIR_COUNT }, (_, pair) => letters(pair));
  let id = 'call_';
  for (let draw = 0; draw < 6; draw++) {
    const number = Math.floor(random() * PAIR_COUNT * PAIR_COUNT);
    const last = number % PAIR_COUNT;
    id += `${pairs[(number - last) / PAIR_COUNT] ?? ''}${pairs[last] ?? ''}`;
  }
  return id;
}

function letters(pair: number): string {
  const { length } = ALPHABET;
  return ALPHABET.charAt(Math.floor(pair / length)) + ALPHABET.charAt(pair % length);
}
