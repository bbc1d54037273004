import type { OfferedTools } from '../offered-tools.ts';
import { checkSpelling } from './check-spelling.ts';
import { jsonText } from './json-text.ts';
import { PLAIN_NAME } from './plain-name.ts';
import type { RenderableCall } from './render-dialect.ts';
import { textParameters } from './text-parameters.ts';

/** How a dialect writes a call as a name, then keys and values between tags. */
export interface ArgMarkup {
  readonly format: string;
  readonly callBegin: string;
  readonly callEnd: string;
  readonly keyBegin: string;
  /** What stands between a key and its value. */
  readonly valueBegin: string;
  readonly valueEnd: string;
  /** What cannot stand in a value. */
  readonly markers: readonly string[];
}

/** One call in a block. What cannot be written as text is written as JSON, which the parsers read as well. */
export function argBlock(call: RenderableCall, markup: ArgMarkup, tools?: OfferedTools): string {
  const { format, callBegin, callEnd, keyBegin, valueBegin, valueEnd, markers } = markup;
  checkSpelling(format, call.name, PLAIN_NAME);
  const parameters = textParameters(call, { key: PLAIN_NAME, untyped: 'literal', markers }, tools);
  const body =
    typeof parameters === 'string'
      ? `${jsonText(call.arguments, markers)}\n`
      : parameters
          .map(({ key, text }) => `${keyBegin}${key}${valueBegin}${text}${valueEnd}\n`)
          .join('');
  return `${callBegin}${call.name}\n${body}${callEnd}`;
}
