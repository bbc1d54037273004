/** Finds the tool a model meant by a name it wrote slightly differently: `ReadFile`, `functions.read_file`. */
export class ToolNames {
  readonly #names: ReadonlySet<string>;
  /** Spelling without case and separators to the one tool it can mean; undefined where it can mean two. */
  readonly #bySpelling = new Map<string, string | undefined>();

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
    for (const name of this.#names) {
      const spelling = simplify(name);
      this.#bySpelling.set(spelling, this.#bySpelling.has(spelling) ? undefined : name);
    }
  }

  /** The known name that `written` is or can only mean; undefined when there is none. */
  resolve(written: string): string | undefined {
    if (this.#names.has(written)) return written;
    return (
      this.#bySpelling.get(simplify(written)) ??
      this.#bySpelling.get(simplify(withoutNamespace(written)))
    );
  }

  /** What to say about a name that is no known tool; undefined when it is one. */
  explainUnknown(name: string): string | undefined {
    if (this.#names.has(name)) return undefined;
    const nearest = this.#nearest(name);
    const known =
      nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : `known tools: ${this.#list()}`;
    return `there is no tool named ${JSON.stringify(name)}; ${known}`;
  }

  #nearest(name: string): string[] {
    const wanted = simplify(name);
    const most = Math.max(1, Math.floor(wanted.length / 3));
    return [...this.#names]
      .map((known) => ({ known, distance: editDistance(wanted, simplify(known), most) }))
      .filter(({ distance }) => distance <= most)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 3)
      .map(({ known }) => known);
  }

  #list(): string {
    const names = [...this.#names];
    return names.length === 0
      ? 'none'
      : names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '');
  }
}

function simplify(name: string): string {
  return name.replace(/[\s_.:-]/g, '').toLowerCase();
}

function withoutNamespace(name: string): string {
  return name.slice(
    Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1,
  );
}

/** Levenshtein distance, or `most + 1` as soon as it is larger than `most`. Long names are never near. */
function editDistance(a: string, b: string, most: number): number {
  if (a.length > 64 || b.length > 64 || Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? most + 1;
}
