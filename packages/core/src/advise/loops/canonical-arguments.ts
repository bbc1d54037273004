import { hashText } from '../../internal/hash-text.ts';

/** What stays of a value of any size: work and memory per call are bounded. */
const MAX_STRING = 262_144;
const MAX_DEPTH = 64;
const MAX_NODES = 10_000;

/**
 * Arguments as one text that is the same for the same values: keys in order, no space. `change` may rewrite
 * a string by its key at the top. What is too deep or too much is told apart by its size alone.
 */
export function canonicalArguments(
  value: unknown,
  ignored: ReadonlySet<string>,
  change: (key: string, text: string) => string,
): string {
  const budget = { nodes: MAX_NODES };
  if (!isRecord(value)) return write(value, 0, budget);
  const members = Object.keys(value)
    .filter((key) => !ignored.has(key))
    .sort()
    .map((key) => {
      const member = value[key];
      const own = typeof member === 'string' ? change(key, member) : member;
      return `${JSON.stringify(key)}:${write(own, 1, budget)}`;
    });
  return `{${members.join(',')}}`;
}

function write(value: unknown, depth: number, budget: { nodes: number }): string {
  budget.nodes--;
  if (typeof value === 'string') return writeString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > MAX_DEPTH || budget.nodes < 0) return `…${Object.keys(value).length}`;
  if (Array.isArray(value))
    return `[${value.map((item) => write(item, depth + 1, budget)).join(',')}]`;
  const record = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(record).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${write(record[key], depth + 1, budget)}`).join(',')}}`;
}

function writeString(text: string): string {
  if (text.length <= MAX_STRING) return JSON.stringify(text);
  const ends = text.slice(0, MAX_STRING / 2) + text.slice(-MAX_STRING / 2);
  return `…${text.length}:${hashText(ends)}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
