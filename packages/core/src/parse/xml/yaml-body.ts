import { readLiteral } from '../../internal/schema-text.ts';
import type { JsonValue } from '../../types.ts';

const KEY = /^([A-Za-z_][\w.-]{0,127}):(?:[ \t]+(\S.*))?$/;

/** A key and what was written for it: plain text, whose type is for others to tell, or a value. */
export interface YamlEntry {
  readonly key: string;
  readonly text?: string;
  readonly value?: JsonValue;
}

/**
 * What `key: value` lines say: text, quoted strings, lists of `- item`, and blocks after `|`. Undefined when
 * a line is anything else: this is no reader of YAML, only of what models write for a flat list of arguments.
 */
export function readYamlBody(body: string): readonly YamlEntry[] | undefined {
  const lines = unindented(body.replaceAll('\r\n', '\n').split('\n'));
  const entries: YamlEntry[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at++] ?? '';
    if (line.trim() === '') continue;
    const found = KEY.exec(line.trimEnd());
    if (found === null) return undefined;
    const from = at;
    while (at < lines.length && isInner(lines[at] ?? '')) at++;
    const entry = entryOf(found[1] ?? '', found[2] ?? '', lines.slice(from, at));
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return entries.length === 0 ? undefined : entries;
}

function isInner(line: string): boolean {
  return line.trim() === '' || /^(?:[ \t]|- )/.test(line);
}

function entryOf(key: string, written: string, inner: readonly string[]): YamlEntry | undefined {
  const isBlock = written === '|' || written === '|-' || written === '|+';
  const lines = unindented(inner);
  if (isBlock) {
    const text = lines.join('\n').trimEnd();
    return { key, value: written === '|-' || text === '' ? text : `${text}\n` };
  }
  const items = lines.filter((line) => line.trim() !== '');
  if (written !== '') return items.length === 0 ? scalar(key, written) : undefined;
  if (items.length === 0 || !items.every((line) => line.startsWith('- '))) return undefined;
  return { key, value: items.map((line) => itemOf(line.slice(2).trim())) };
}

function scalar(key: string, written: string): YamlEntry {
  const text = unquoted(written);
  return text === undefined ? { key, text: written } : { key, value: text };
}

function itemOf(written: string): JsonValue {
  return unquoted(written) ?? readLiteral(written);
}

function unquoted(written: string): string | undefined {
  const quote = written.charAt(0);
  if ((quote !== "'" && quote !== '"') || written.length < 2 || !written.endsWith(quote))
    return undefined;
  if (quote === "'") return written.slice(1, -1).replaceAll("''", "'");
  const list = readLiteral(`[${written}]`);
  const [first] = Array.isArray(list) ? (list as readonly JsonValue[]) : [];
  return typeof first === 'string' ? first : undefined;
}

/** The lines without the white space that all of them begin with. */
function unindented(lines: readonly string[]): string[] {
  let width = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const at = line.search(/\S/);
    if (at >= 0) width = Math.min(width, at);
  }
  return lines.map((line) => line.slice(width));
}
