import { BACKSLASH, DOUBLE_QUOTE, isSpace } from './char-code.ts';

/** `json` without the space between its tokens. It may stop anywhere, as a fragment does. */
export function minifyJson(json: string): string {
  let minified = '';
  let start = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === DOUBLE_QUOTE) inString = false;
    } else if (code === DOUBLE_QUOTE) inString = true;
    else if (isSpace(code)) {
      minified += json.slice(start, at);
      start = at + 1;
    }
  }
  return minified + json.slice(start);
}
