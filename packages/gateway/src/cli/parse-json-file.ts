import { Misuse } from './misuse.ts';
import { TextPosition } from './text-position.ts';

/** `JSON.parse` whose error names the file, the line and the column. */
export function parseJsonFile(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const { line, column } = new TextPosition(text).at(failureOffset(text, message));
    throw new Misuse(`${name} is not JSON: ${reason(message)} at line ${line}, column ${column}`);
  }
}

/** Without the position and the excerpt that engines add. */
function reason(message: string): string {
  return message
    .replace(/ \(line \d+ column \d+\)$/, '')
    .replace(/ at position \d+$/, '')
    .replace(/ (?:in|after) JSON$/, '')
    .replace(/^(Unexpected token '.{1,2}').*$/su, '$1')
    .replace(/^Unexpected end of JSON input$/, 'it ends too early');
}

function failureOffset(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return message.startsWith('Unexpected token') ? badTokenOffset(text) : text.length;
}

/** V8 leaves out where a bad token is: it is the last character of the shortest beginning that has one. */
function badTokenOffset(text: string): number {
  let low = 0;
  let high = text.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (hasBadToken(text.slice(0, middle))) high = middle;
    else low = middle;
  }
  return low;
}

function hasBadToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
}
