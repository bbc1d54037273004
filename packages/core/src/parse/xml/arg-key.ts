/** No name and no key is longer; prose is. */
export const LONGEST_KEY = 128;

/** What may stand in a key, space around it included: all but the beginning of a tag. */
export function isKeyCharacter(code: number): boolean {
  return code !== LESS_THAN;
}

/** Whether a text can be a key, layout around it included. */
export function isKey(text: string): boolean {
  const key = withoutLayout(text);
  return key !== '' && key.length <= LONGEST_KEY && !key.includes('\n');
}

/** Whether nothing but layout stands there: space, or the `\n` of a text that was escaped once too often. */
export function isLayout(text: string): boolean {
  return withoutLayout(text) === '';
}

/** A text without the layout around it. */
export function withoutLayout(text: string): string {
  let inner = text.trim();
  while (inner.startsWith(ESCAPED_BREAK)) inner = inner.slice(ESCAPED_BREAK.length).trimStart();
  while (inner.endsWith(ESCAPED_BREAK)) inner = inner.slice(0, -ESCAPED_BREAK.length).trimEnd();
  return inner;
}

const ESCAPED_BREAK = '\\n';
const LESS_THAN = 0x3c;
