/** A value in a JSON text, and where it stands. */
export interface JsoncNode {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  readonly value: unknown;
  /** Of an object or a list, in the order of the text. */
  readonly members?: readonly JsoncMember[];
}

/** A key of an object, or an index of a list, with its value. */
export interface JsoncMember {
  readonly key: string | number;
  /** Where its key begins; in a list, its value. */
  readonly start: number;
  readonly node: JsoncNode;
  /** Where the comma behind it stands. The last one may have one too. */
  readonly comma: number | undefined;
}

/** Thrown where a text is no JSON with comments. */
export class NotJsoncError extends Error {
  override readonly name = 'NotJsoncError';
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Files that people write are flat; this keeps a hostile one from using up the stack. */
const MAX_DEPTH = 64;

/**
 * Reads JSON as editors of configurations take it: comments and a comma behind the last item are allowed, a key
 * that is there twice is not, as one of the two would be lost without a word.
 *
 * @throws {@link NotJsoncError}
 */
export function readJsoncTree(text: string): JsoncNode {
  return new JsoncReader(text).readAll();
}

class JsoncReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\uFEFF')) this.#at = 1;
  }

  readAll(): JsoncNode {
    const root = this.#readValue(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#expected('the end of the file');
    return root;
  }

  #readValue(depth: number): JsoncNode {
    this.#skipSpace();
    if (depth > MAX_DEPTH) throw new NotJsoncError(this.#at, `nested deeper than ${MAX_DEPTH}`);
    const start = this.#at;
    const next = this.#text[start];
    if (next === '{') return this.#readObject(depth);
    if (next === '[') return this.#readList(depth);
    const value = next === '"' ? this.#readString() : this.#readWord();
    return { start, end: this.#at, value };
  }

  #readWord(): unknown {
    const word = /[\w+.-]*/y;
    word.lastIndex = this.#at;
    const written = word.exec(this.#text)?.[0] ?? '';
    if (!/^(?:true|false|null|-?\d[\d.e+-]*)$/i.test(written)) throw this.#expected('a value');
    const value = this.#parse(written);
    this.#at += written.length;
    return value;
  }

  #readObject(depth: number): JsoncNode {
    const start = this.#at;
    const entries = new Map<string, unknown>();
    const members: JsoncMember[] = [];
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#take('}')) {
        return { start, end: this.#at, value: Object.fromEntries(entries), members };
      }
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw this.#expected('a key in double quotes, or }');
      const key = this.#readString();
      if (entries.has(key)) {
        throw new NotJsoncError(keyAt, `expected each key once, got ${JSON.stringify(key)} twice`);
      }
      this.#skipSpace();
      if (!this.#take(':')) throw this.#expected(':');
      const node = this.#readValue(depth + 1);
      entries.set(key, node.value);
      members.push({ key, start: keyAt, node, comma: this.#takeComma('}') });
    }
  }

  #readList(depth: number): JsoncNode {
    const start = this.#at;
    const members: JsoncMember[] = [];
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#take(']')) {
        return { start, end: this.#at, value: members.map(({ node }) => node.value), members };
      }
      const node = this.#readValue(depth + 1);
      const key = members.length;
      members.push({ key, start: node.start, node, comma: this.#takeComma(']') });
    }
  }

  #takeComma(close: '}' | ']'): number | undefined {
    this.#skipSpace();
    const at = this.#at;
    if (this.#take(',')) return at;
    if (this.#text[at] !== close) throw this.#expected(`, or ${close}`);
    return undefined;
  }

  #readString(): string {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"' && this.#text[end] !== '\n') {
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    if (this.#text[end] !== '"') throw new NotJsoncError(start, 'this text has no closing quote');
    const value = this.#parse(this.#text.slice(start, end + 1));
    this.#at = end + 1;
    return String(value);
  }

  #parse(written: string): unknown {
    try {
      return JSON.parse(written) as unknown;
    } catch {
      // The text itself may hold a secret.
      const isText = written.startsWith('"');
      throw this.#expected(isText ? 'text without raw control characters or odd \\' : 'a value');
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
      if (this.#text.startsWith('//', this.#at)) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end < 0) throw new NotJsoncError(this.#at, 'this comment has no end');
        this.#at = end + 2;
      } else {
        return;
      }
    }
  }

  #expected(what: string): NotJsoncError {
    const next = this.#text[this.#at];
    const got = next === undefined ? 'the end of the file' : next === '"' ? 'a text' : next;
    return new NotJsoncError(this.#at, `not JSON: expected ${what}, got ${got}`);
  }
}
