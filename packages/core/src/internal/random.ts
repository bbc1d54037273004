/** A number in [0, 1), as `Math.random`. */
export type Random = () => number;

export const systemRandom: Random = Math.random;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id of the length and letters OpenAI uses, so that clients that check its shape accept it. */
export function callId(random: Random = systemRandom): string {
  let id = 'call_';
  // Four letters per draw: 62^4 fits a double's 53 bits with room to spare.
  for (let draw = 0; draw < 6; draw++) {
    let bits = Math.floor(random() * 14776336);
    for (let letter = 0; letter < 4; letter++) {
      id += ALPHABET.charAt(bits % 62);
      bits = Math.floor(bits / 62);
    }
  }
  return id;
}
