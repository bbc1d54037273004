import { readStrictJson } from '../../internal/schema-text.ts';
import type { JsonValue } from '../../types.ts';
import { parseJson } from '../json/parse-json.ts';
import { setOwn } from '../../internal/set-own.ts';

/** What a word or a number without quotes means; `path` has the keys it stands under. */
export type ReadScalar = (text: string, path: readonly string[]) => JsonValue;

interface Line {
  readonly indent: number;
  readonly text: string;
}

const KEY = /^(?:"([^"]*)"|'([^']*)'|([\w.-]+)):(?:[ \t]+(\S.*))?$/;
const BLOCK = /^[|>][+-]?$/;

/**
 * The little of YAML that models write calls in: maps and lists by indentation, strings with and without
 * quotes, `|` and `>` blocks, and JSON. Undefined for anything else.
 */
export function readYaml(
  text: string,
  maxDepth: number,
  readScalar: ReadScalar,
): JsonValue | undefined {
  return new YamlReader(text, maxDepth, readScalar).read();
}

class YamlReader {
  readonly #lines: Line[];
  readonly #maxDepth: number;
  readonly #readScalar: ReadScalar;
  #at = 0;
  #path: string[] = [];
  #isBroken = false;

  constructor(text: string, maxDepth: number, readScalar: ReadScalar) {
    this.#lines = text.split('\n').map((raw) => {
      const line = raw.trimEnd();
      return { indent: line.length - line.trimStart().length, text: line.trimStart() };
    });
    this.#maxDepth = maxDepth;
    this.#readScalar = readScalar;
  }

  read(): JsonValue | undefined {
    const value = this.#readBlock(0);
    this.#skipBlank();
    return this.#isBroken || this.#at < this.#lines.length ? undefined : value;
  }

  /** A map or a list whose lines stand at least `indent` deep. */
  #readBlock(indent: number): JsonValue {
    this.#skipBlank();
    const line = this.#lines[this.#at];
    if (line === undefined || line.indent < indent) return null;
    if (this.#path.length > this.#maxDepth) return this.#fail();
    return isItem(line.text) ? this.#readList(line.indent) : this.#readMap(line.indent);
  }

  #readMap(indent: number): JsonValue {
    const map: Record<string, JsonValue> = {};
    for (let line = this.#next(indent); line !== undefined; line = this.#next(indent)) {
      const found = KEY.exec(line.text);
      if (found === null) return this.#fail();
      const key = found[1] ?? found[2] ?? found[3] ?? '';
      this.#at++;
      this.#path.push(key);
      setOwn(map, key, this.#readValue(found[4] ?? '', indent));
      this.#path.pop();
    }
    return map;
  }

  #readList(indent: number): JsonValue {
    const list: JsonValue[] = [];
    for (let line = this.#next(indent); line !== undefined; line = this.#next(indent)) {
      if (!isItem(line.text)) break;
      const rest = line.text.slice(1).trimStart();
      if (rest === '') return this.#fail();
      if (KEY.test(rest)) list.push(this.#readMapInItem(line, rest));
      else {
        this.#at++;
        list.push(this.#scalar(rest));
      }
    }
    return list;
  }

  /** `- key: …`: the first line of the map stands behind the dash, the others below it. */
  #readMapInItem(line: Line, rest: string): JsonValue {
    const indent = line.indent + line.text.length - rest.length;
    this.#lines[this.#at] = { indent, text: rest };
    return this.#readMap(indent);
  }

  /** What stands behind the colon, or on the lines below. */
  #readValue(text: string, indent: number): JsonValue {
    if (BLOCK.test(text)) return this.#readText(text, indent);
    if (text !== '') return this.#scalar(text);
    this.#skipBlank();
    const line = this.#lines[this.#at];
    const isList = line?.indent === indent && isItem(line.text);
    return this.#readBlock(isList ? indent : indent + 1);
  }

  /** The lines of a block, with their line breaks, or with spaces in their place. */
  #readText(style: string, indent: number): string {
    const lines: Line[] = [];
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      if (line.text !== '' && line.indent <= indent) break;
      lines.push(line);
      this.#at++;
    }
    while (lines.at(-1)?.text === '') lines.pop();
    let depth = Infinity;
    for (const line of lines) if (line.text !== '') depth = Math.min(depth, line.indent);
    const written = lines.map((line) =>
      line.text === '' ? '' : ' '.repeat(line.indent - depth) + line.text,
    );
    const end = style.endsWith('-') || written.length === 0 ? '' : '\n';
    return written.join(style.startsWith('>') ? ' ' : '\n') + end;
  }

  #scalar(text: string): JsonValue {
    const first = text.charAt(0);
    if (first === "'" && text.endsWith("'") && text.length > 1)
      return text.slice(1, -1).replaceAll("''", "'");
    if (first === '"' || first === '[' || first === '{') {
      const json = parseJson(text, { maxDepth: this.#maxDepth });
      if (!json.ok || !json.complete || json.lossy) return this.#fail();
      return json.repairs.length > 0 ? json.value : (readStrictJson(text.trim()) ?? json.value);
    }
    return this.#readScalar(text, this.#path);
  }

  /** The next line, if it stands exactly at `indent`; another one ends the map, or breaks it. */
  #next(indent: number): Line | undefined {
    this.#skipBlank();
    const line = this.#lines[this.#at];
    if (line === undefined || line.indent < indent) return undefined;
    if (line.indent === indent) return line;
    this.#isBroken = true;
    return undefined;
  }

  #skipBlank(): void {
    while (this.#lines[this.#at]?.text === '') this.#at++;
  }

  #fail(): null {
    this.#isBroken = true;
    return null;
  }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}
