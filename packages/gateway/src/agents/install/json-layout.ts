import type { JsoncNode } from '../../mcp/config/read-jsonc-tree.ts';

/** A comment in a text that has been read. */
interface Comment {
  readonly start: number;
  readonly end: number;
  /** Runs to the end of its line: whatever comes behind it has to begin a new one. */
  readonly isLine: boolean;
}

/** How a JSON text is written, so that what is added looks as if its author had. */
export class JsonLayout {
  readonly #text: string;
  readonly lineEnd: '\n' | '\r\n';
  /** One step of indent. */
  readonly #step: string;
  /** Whether the whole text is on one line. */
  readonly #isFlat: boolean;
  /** What stands behind the colons and commas of values on one line. */
  readonly gap: '' | ' ';

  constructor(text: string, root: JsoncNode) {
    this.#text = text;
    this.lineEnd = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
    const [first] = root.members ?? [];
    this.#isFlat = first !== undefined && !text.slice(root.start, root.end).includes('\n');
    const isSpaced = first === undefined || /\s/.test(text[first.node.start - 1] ?? '');
    this.gap = this.#isFlat && !isSpaced ? '' : ' ';
    const indent = first === undefined ? '' : this.indentAt(first.start);
    const outer = this.indentAt(root.start);
    const inner = indent.startsWith(outer) ? indent.slice(outer.length) : '';
    this.#step = inner === '' ? '  ' : inner;
  }

  /** The indent of the line on which an offset is. */
  indentAt(offset: number): string {
    const line = this.#text.lastIndexOf('\n', offset - 1) + 1;
    return /^\uFEFF?([ \t]*)/.exec(this.#text.slice(line, offset))?.[1] ?? '';
  }

  /** The indent of what is in a value that begins at an offset. */
  indentInside(offset: number): string {
    return this.indentAt(offset) + this.#step;
  }

  /** Whether a value at this place is best written over several lines. */
  spreads(node: JsoncNode): boolean {
    if (this.#isFlat) return false;
    const isFilled = (node.members?.length ?? 0) > 0;
    return !isFilled || this.#text.slice(node.start, node.end).includes('\n');
  }

  /** A value over several lines, the first without an indent. */
  spread(value: unknown, indent: string): string {
    return JSON.stringify(value, undefined, this.#step).replaceAll('\n', this.lineEnd + indent);
  }

  /** A value on one line. */
  inline(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) {
      return `[${value.map((item) => this.inline(item)).join(`,${this.gap}`)}]`;
    }
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    const written = fields.map(([key, field]) => this.#field(key, this.inline(field)));
    return `{${written.join(`,${this.gap}`)}}`;
  }

  /** A member of an object (with its key) or of a list. */
  member(key: string | number, value: string): string {
    return typeof key === 'number' ? value : this.#field(key, value);
  }

  #field(key: string, value: string): string {
    return `${JSON.stringify(key)}:${this.gap}${value}`;
  }

  /** The comments between two offsets with nothing else between them but space and commas. */
  commentsBetween(from: number, to: number): readonly Comment[] {
    const comments: Comment[] = [];
    let at = from;
    while (at < to) {
      const isLine = this.#text.startsWith('//', at);
      if (isLine || this.#text.startsWith('/*', at)) {
        const end = isLine ? this.#lineEndAt(at) : this.#text.indexOf('*/', at + 2) + 2;
        comments.push({ start: at, end, isLine });
        at = end;
      } else {
        at++;
      }
    }
    return comments;
  }

  #lineEndAt(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    if (end < 0) return this.#text.length;
    return this.#text[end - 1] === '\r' ? end - 1 : end;
  }
}
