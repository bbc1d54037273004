/** Scripts without case have words without space between them, too. */
const CASELESS = /\p{Lo}/u;
const UPPER_CASE = /\p{Lu}/u;
const WORD = /[\p{L}\p{N}]/u;
const SENTENCE_ENDS = '.!?…:;。！？：；।؟۔';
/** What a sentence goes on after. */
const CONTINUATIONS = ' \t\r,，、()[]"\'’”»*_`~–—-';
const ASCII = 0x80;

export function isWordCharacter(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code >= ASCII) return WORD.test(character);
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
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
