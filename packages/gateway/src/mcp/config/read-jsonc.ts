import { TextPosition } from '../../cli/text-position.ts';
import type { ReadYaml } from '../../config/read-yaml.ts';

/** What a JSON text with comments says, and where it says it. */
export type ReadJsonc = ReadYaml;

/** Files that people write are flat; this keeps a hostile one from using up the stack. */
const MAX_DEPTH = 64;

/**
 * Reads JSON as editors of configurations take it: comments and a comma behind the last item are allowed, a key
 * that is there twice is not, as one of the two would be lost without a word. Never throws.
 */
export function readJsonc(text: string): ReadJsonc {
  const position = new TextPosition(text);
  const reader = new JsoncReader(text);
  try {
    const value = reader.readAll();
    return {
      ok: true,
      value,
      placeOf: (path, isKey) => position.at(reader.offsetOf(path, isKey)),
    };
  } catch (error) {
    if (!(error instanceof Stumble)) throw error;
    return { ok: false, problems: [{ ...position.at(error.offset), message: error.message }] };
  }
}

class Stumble extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

type Path = readonly PropertyKey[];

class JsoncReader {
  readonly #text: string;
  readonly #values = new Map<string, number>();
  readonly #keys = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\uFEFF')) this.#at = 1;
  }

  readAll(): unknown {
    const value = this.#readValue([]);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#expected('the end of the file');
    return value;
  }

  /** Where a value stands, or its key; where there is none, what it is missing from. */
  offsetOf(path: Path, isKey: boolean): number {
    const key = isKey ? this.#keys.get(placeKey(path)) : undefined;
    if (key !== undefined) return key;
    for (let length = path.length; length >= 0; length--) {
      const offset = this.#values.get(placeKey(path.slice(0, length)));
      if (offset !== undefined) return offset;
    }
    return 0;
  }

  #readValue(path: Path): unknown {
    this.#skipSpace();
    if (path.length > MAX_DEPTH) throw new Stumble(this.#at, `nested deeper than ${MAX_DEPTH}`);
    this.#values.set(placeKey(path), this.#at);
    const next = this.#text[this.#at];
    if (next === '{') return this.#readObject(path);
    if (next === '[') return this.#readList(path);
    if (next === '"') return this.#readString();
    const word = /[\w+.-]*/y;
    word.lastIndex = this.#at;
    const written = word.exec(this.#text)?.[0] ?? '';
    if (!/^(?:true|false|null|-?\d[\d.e+-]*)$/i.test(written)) throw this.#expected('a value');
    const value = this.#parse(written);
    this.#at += written.length;
    return value;
  }

  #readObject(path: Path): unknown {
    const entries = new Map<string, unknown>();
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#take('}')) return Object.fromEntries(entries);
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw this.#expected('a key in double quotes, or }');
      const key = this.#readString();
      if (entries.has(key)) {
        throw new Stumble(keyAt, `expected each key once, got ${JSON.stringify(key)} twice`);
      }
      this.#keys.set(placeKey([...path, key]), keyAt);
      this.#skipSpace();
      if (!this.#take(':')) throw this.#expected(':');
      entries.set(key, this.#readValue([...path, key]));
      this.#skipSpace();
      if (!this.#take(',') && this.#text[this.#at] !== '}') throw this.#expected(', or }');
    }
  }

  #readList(path: Path): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#take(']')) return items;
      items.push(this.#readValue([...path, items.length]));
      this.#skipSpace();
      if (!this.#take(',') && this.#text[this.#at] !== ']') throw this.#expected(', or ]');
    }
  }

  #readString(): string {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"' && this.#text[end] !== '\n') {
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    if (this.#text[end] !== '"') throw new Stumble(start, 'this text has no closing quote');
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
        if (end < 0) throw new Stumble(this.#at, 'this comment has no end');
        this.#at = end + 2;
      } else {
        return;
      }
    }
  }

  #expected(what: string): Stumble {
    const next = this.#text[this.#at];
    const got = next === undefined ? 'the end of the file' : next === '"' ? 'a text' : next;
    return new Stumble(this.#at, `not JSON: expected ${what}, got ${got}`);
  }
}

function placeKey(path: Path): string {
  return JSON.stringify(path.map(String));
}
