import { isSpace, skipSpace } from '../json/char-code.ts';

/** Reads `a=1 b="x y"` as its keys and values; undefined when it is anything else. */
export function readPairs(text: string): [key: string, value: string][] | undefined {
  const pairs: [string, string][] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const equals = text.indexOf('=', at);
    const key = equals < 0 ? '' : text.slice(at, equals);
    if (!/^\w[\w.-]*$/.test(key)) return undefined;
    const end = endOfValue(text, equals + 1);
    if (end < 0) return undefined;
    pairs.push([key, unquote(text.slice(equals + 1, end))]);
    at = end;
  }
  return pairs.length === 0 ? undefined : pairs;
}

/** The index behind a value, quoted or not; -1 when its quote is not closed. */
function endOfValue(text: string, from: number): number {
  const quote = text.charAt(from);
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, from + 1);
    return close < 0 ? -1 : close + 1;
  }
  let at = from;
  while (at < text.length && !isSpace(text.charCodeAt(at))) at++;
  return at;
}

function unquote(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}
