/**
 * A shell command without what changes nothing: more space than needed, quotes around plain words, a
 * redirected error output, a last `;`. Of a command of several lines only its ends are trimmed: there, space
 * can be the difference that mends it.
 */
export function canonicalCommand(command: string): string {
  const trimmed = command.trim();
  if (trimmed.includes('\n') || trimmed.length > MAX_LENGTH) return trimmed;
  const words = QUOTES.test(trimmed) ? wordsOf(trimmed).join(' ') : trimmed.replace(/[ \t]+/g, ' ');
  return words.replace(ENDS, '');
}

/** Longer commands are programs of their own; they are compared as they are. */
const MAX_LENGTH = 4096;

const QUOTES = /["']/;

const ENDS = /(?: 2>&1|;| \| cat| ;)$/;

/** The words of a command, each with its quotes, unless what they hold is a plain word. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (const character of command) {
    if (quote === '' && (character === ' ' || character === '\t')) {
      if (word !== '') words.push(withoutQuotes(word));
      word = '';
      continue;
    }
    word += character;
    if (quote === '') {
      if (character === '"' || character === "'") quote = character;
    } else if (character === quote) quote = '';
  }
  if (word !== '') words.push(withoutQuotes(word));
  return words;
}

function withoutQuotes(word: string): string {
  return /^(["'])[\w./:@%+,=-]+\1$/.test(word) ? word.slice(1, -1) : word;
}
