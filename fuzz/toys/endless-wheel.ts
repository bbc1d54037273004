/** Turns a text until it stands at an `a`. One that has none, but a `b`, is turned for ever. */
export function turnUntilRound(text: string): string {
  let turned = text;
  while (turned.includes('b') && !turned.startsWith('a'))
    turned = turned.slice(1) + turned.charAt(0);
  return turned;
}
