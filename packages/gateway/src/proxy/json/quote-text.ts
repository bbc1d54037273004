/** The beginning of a text from outside, on one line and in quotes, for a message. */
export function quoteText(text: string): string {
  const start = text.slice(0, MOST_QUOTED).replace(UNSAFE, '\uFFFD');
  return JSON.stringify(start) + (text.length > MOST_QUOTED ? '…' : '');
}

const MOST_QUOTED = 100;

/** Controls, marks that reorder what is shown, invisible characters, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
