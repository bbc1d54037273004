/** Finds the tool a model meant by a name it wrote slightly differently: `ReadFile`, `functions.read_file`. */
export class ToolNames {
  readonly #names: ReadonlySet<string>;
  /** Spelling without case and separators to the one tool it can mean; undefined where it can mean two. */
  readonly #bySpelling = new Map<string, string | undefined>();

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
    for (const name of this.#names) {
      const spelling = spellingOf(name);
      this.#bySpelling.set(spelling, this.#bySpelling.has(spelling) ? undefined : name);
    }
  }

  /** The known name that `written` is or can only mean; undefined when there is none. */
  resolve(written: string): string | undefined {
    if (this.#names.has(written)) return written;
    return (
      this.#bySpelling.get(spellingOf(written)) ??
      this.#bySpelling.get(spellingOf(withoutNamespace(written)))
    );
  }

  /** Whether a known name may be meant by what begins with `beginning`, a namespace before it left aside. */
  mayBegin(beginning: string): boolean {
    const spelling = spellingOf(beginning);
    for (const known of this.#bySpelling.keys()) if (known.startsWith(spelling)) return true;
    return false;
  }

  /** What to say about a name that is no known tool; undefined when it is one. */
  explainUnknown(name: string): string | undefined {
    if (this.#names.has(name)) return undefined;
    const nearest = nearestNames(name, [...this.#names]);
    const known =
      nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : `known tools: ${this.#list()}`;
    return `there is no tool named ${JSON.stringify(name)}; ${known}`;
  }

  #list(): string {
    const names = [...this.#names];
    return names.length === 0
      ? 'none'
      : names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '');
  }
}

/** A name without case and separators: `ReadFile` and `read_file` are spelt the same. */
export function spellingOf(name: string): string {
  return name.replace(/[\s_.:\\-]/g, '').toLowerCase();
}

/** Up to three names that a misspelt one may have meant, the nearest first. */
export function nearestNames(written: string, names: readonly string[]): string[] {
  const wanted = spellingOf(written);
  // Of a name as short as `id`, one other letter is another name.
  const most = wanted.length < 3 ? 0 : Math.max(1, Math.floor(wanted.length / 3));
  const wordsWritten = wordsOf(written);
  const distanceTo = (known: string): number => {
    const distance = editDistance(wanted, spellingOf(known), most);
    return distance > most && areWordsOf(wordsWritten, wordsOf(known)) ? most : distance;
  };
  return names
    .map((known) => ({ known, distance: distanceTo(known) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ known }) => known);
}

/** `filePath` and `file_path` as their words; none of a name that is too long to be one. */
function wordsOf(name: string): string[] {
  if (name.length > MAX_NAME_LENGTH) return [];
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[^a-z\d]+/).filter((word) => word.length > 2);
}

/** Whether one name is the other with words left out: `path` of `file_path`. */
function areWordsOf(one: readonly string[], other: readonly string[]): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  return few.length > 0 && few.every((word) => many.includes(word));
}

const MAX_NAME_LENGTH = 64;

function withoutNamespace(name: string): string {
  return name.slice(
    Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1,
  );
}

/**
 * How many letters have to be changed, added, left out or swapped with the next; `most + 1` when it is
 * more than `most`. Long names are never near.
 */
function editDistance(a: string, b: string, most: number): number {
  if (a.length > MAX_NAME_LENGTH || b.length > MAX_NAME_LENGTH) return most + 1;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, (above[j - 2] ?? 0) + 1);
      next.push(least);
    }
    above = row;
    row = next;
  }
  return row[b.length] ?? most + 1;
}
