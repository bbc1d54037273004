/** Scripts without case have words without space between them, too. */
const CASELESS = /\p{Lo}/u;
const UPPER_CASE = /\p{Lu}/u;
const LETTER = /\p{L}/u;
const SENTENCE_ENDS = '.!?…:;。！？：；।؟۔';
/** What a sentence goes on after. */
const CONTINUATIONS = '0123456789 \t\r,，、()[]"\'’”»*_`~–—-';
const ASCII = 0x80;

export function isLetter(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code >= ASCII) return LETTER.test(character);
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isUpperCase(character: string): boolean {
  return UPPER_CASE.test(character);
}

export function isCaseless(character: string): boolean {
  return CASELESS.test(character);
}

export function endsSentence(character: string): boolean {
  return SENTENCE_ENDS.includes(character);
}

/** Whether a sentence that has not ended may go on after this character. */
export function mayGoOn(character: string): boolean {
  return CONTINUATIONS.includes(character);
}
