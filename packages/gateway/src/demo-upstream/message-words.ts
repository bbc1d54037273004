/** Words that say nothing of what is wanted. */
const SMALL_WORDS = new Set(
  (
    'about all and any are ask but call can could did does for from get give has have how into is it its let me my ' +
    'new not now of off on one our out please run say show some tell that the their them then there this tool use ' +
    'using want was what when where which who why will with would you your'
  ).split(' '),
);

/** The words of a text that can tell tools apart, in small letters. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !SMALL_WORDS.has(word));
}

/** Whether two words are the same but for their endings: `files` and `file`, `reading` and `read`. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 3 && long.startsWith(short) && long.length - short.length < 4;
}

/** What a message is about: what it quotes, names or asks for, else its last words. */
export function topicOf(message: string): string {
  return (
    quotedIn(message) ?? nameIn(message) ?? askedIn(message) ?? wordsOf(message).slice(-3).join(' ')
  );
}

/** The first path in a message, such as `src/main.ts` or `README.md`. */
export function pathIn(message: string): string | undefined {
  return bareWords(message).find(
    (word) =>
      !word.includes('://') && (/[\w.]\/[\w.]/.test(word) || /^[\w-]+\.[a-z]\w{0,4}$/i.test(word)),
  );
}

/** The first address in a message. */
export function addressIn(message: string): string | undefined {
  return bareWords(message).find((word) => /^https?:\/\/\w/.test(word));
}

/** The first number in a message. */
export function numberIn(message: string): number | undefined {
  const found = bareWords(message).find((word) => /^-?\d{1,9}(?:\.\d{1,6})?$/.test(word));
  return found === undefined ? undefined : Number(found);
}

function quotedIn(message: string): string | undefined {
  const from = message.search(/["“`]/);
  if (from < 0) return undefined;
  const length = message.slice(from + 1).search(/["”`\n]/);
  return length > 0 && length <= 80 ? message.slice(from + 1, from + 1 + length).trim() : undefined;
}

/** What stands behind `for` or `about`, as in `search pages for the moon`. */
function askedIn(message: string): string | undefined {
  const words = message.split(/\s+/);
  const from = words.findIndex((word) => word === 'for' || word === 'about');
  const rest = words.slice(from + 1);
  const end = rest.findIndex((word) => /[.,;:?!]$/.test(word));
  const asked = (end < 0 ? rest : rest.slice(0, end + 1)).map(bare).join(' ');
  return from < 0 || asked === '' || asked.length > 80 ? undefined : asked;
}

/** The first words with capitals that do not begin a sentence. */
function nameIn(message: string): string | undefined {
  const words = message.split(/\s+/);
  const from = words.findIndex(
    (word, at) => at > 0 && isName(word) && !/[.!?:]$/.test(words[at - 1] ?? ''),
  );
  if (from < 0) return undefined;
  const name: string[] = [];
  for (const word of words.slice(from)) {
    if (!isName(word)) break;
    name.push(bare(word));
    // Behind a comma begins the next one.
    if (bare(word) !== word) break;
  }
  return name.join(' ');
}

function isName(word: string): boolean {
  return /^\p{Lu}/u.test(word) && bare(word) !== 'I';
}

/** The words of a message without the punctuation around them. */
function bareWords(message: string): readonly string[] {
  return message.split(/\s+/).map(bare);
}

const PUNCTUATION = new Set('.,;:?!"\'`()<>[]{}“”');

function bare(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && PUNCTUATION.has(word.charAt(from))) from++;
  while (to > from && PUNCTUATION.has(word.charAt(to - 1))) to--;
  return word.slice(from, to);
}
