/** Whether a line has a phrase in it. The line is in lower case. */
export type Phrase = (line: string) => boolean;

/**
 * A phrase as it is written in the tables: lower case, found as whole words; ` … ` stands for anything
 * between two parts, `^` for the beginning of the line or of the message in it. Plain searches: no line makes them slow.
 */
export function phrase(written: string): Phrase {
  const isAtStart = written.startsWith('^');
  const parts = (isAtStart ? written.slice(1) : written).split(' … ');
  const [first = ''] = parts;
  return (line) => {
    if (isAtStart && !line.startsWith(first) && !line.startsWith(first, messageAt(line))) {
      return false;
    }
    let from = 0;
    for (const part of parts) {
      const at = findWhole(line, part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return true;
  };
}

/** Where a message begins behind the name of a program: `chmod: invalid mode`. */
function messageAt(line: string): number {
  const at = line.indexOf(': ');
  return at > 0 && at === line.indexOf(' ') - 1 ? at + 2 : 0;
}

function findWhole(line: string, part: string, from: number): number {
  for (let at = line.indexOf(part, from); at >= 0; at = line.indexOf(part, at + 1)) {
    const end = at + part.length;
    const isWhole =
      !(isWordAt(line, at) && isWordAt(line, at - 1)) &&
      !(isWordAt(line, end - 1) && isWordAt(line, end));
    if (isWhole) return at;
  }
  return -1;
}

/** Letters outside ASCII count as none: Chinese and Japanese have no spaces between words. */
function isWordAt(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** An expression for lines that begin with one of the words. Taken together they are found in one go. */
export function beginsWith(words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.map(escaped).join('|')})`);
}

/** An expression for lines that have one of the words anywhere, in whatever they are part of. */
export function anyOf(words: readonly (string | undefined)[]): RegExp {
  return new RegExp(words.map((word = '') => escaped(word)).join('|'));
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
