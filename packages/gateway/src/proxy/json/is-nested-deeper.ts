const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Messages nested deeper are refused: what goes through them later would run out of stack. */
export const MAX_DEPTH = 1000;

/** Whether JSON text is nested deeper than messages may be. */
export function isTooDeeplyNested(json: string): boolean {
  // A shorter text has no room for so many openings and closings; one that is not closed fails soon.
  return json.length > 2 * MAX_DEPTH && isNestedDeeper(json, MAX_DEPTH);
}

/**
 * Whether JSON text is nested deeper than so many levels. To be asked before it is parsed: `JSON.parse` copes
 * with ten million levels, but takes seconds for them, and whoever goes through the result runs out of stack.
 */
export function isNestedDeeper(json: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        if (at === -1) return false;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > levels) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
  }
  return false;
}

/** Where a string that begins here has its end, or -1. */
function endOfString(json: string, start: number): number {
  let end = start;
  do end = json.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(json, end));
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
