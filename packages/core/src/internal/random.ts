/** A number in [0, 1), as `Math.random`. */
export type Random = () => number;

export const systemRandom: Random = Math.random;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** How many sequences of three letters there are: one draw makes three. */
const TRIPLES = 62 * 62 * 62;

/** An id of the length and letters OpenAI uses, so that clients that check its shape accept it. */
export function callId(random: Random = systemRandom): string {
  let id = 'call_';
  for (let draw = 0; draw < 8; draw++) id += letters(Math.floor(random() * TRIPLES));
  return id;
}

function letters(number: number): string {
  const last = number % 62;
  const rest = (number - last) / 62;
  const middle = rest % 62;
  return ALPHABET.charAt((rest - middle) / 62) + ALPHABET.charAt(middle) + ALPHABET.charAt(last);
}
