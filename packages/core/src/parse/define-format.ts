import { InvalidOptionError } from '../errors.ts';
import type { CallReader, Format, RawCall, ReadContext } from './format.ts';
import { areCalls, FormatParser } from './format-parser.ts';
import type { ParseLimits } from './limits.ts';
import { JsonBodyReader } from './readers/json-body-reader.ts';
import { TextBodyReader } from './readers/text-body-reader.ts';
import type { ParsedCall } from './tool-parser.ts';

/** A format of your own: its markers, and what stands between them. */
export interface FormatDefinition {
  readonly name: string;
  /** What a call begins with, such as `<<call>>`. */
  readonly open: string;
  /** What it ends with. */
  readonly close: string;
  /**
   * What stands between the two: `json`, in any of the key spellings models use, or a function that reads
   * it. The function may return null for "not a call"; if it throws, that is what it means.
   * @defaultValue 'json'
   */
  readonly body?: 'json' | ((body: string) => ParsedCall | readonly ParsedCall[] | null);
  /** A text with a call, for `holdfast formats` and for tests. */
  readonly sample?: string;
  /** Parts of model names that write this way: given such a model, this format goes first. */
  readonly models?: readonly string[];
  readonly limits?: Partial<ParseLimits>;
}

/** A format of your own. It streams, is detected by itself, and obeys the limits, like the built-in ones. */
export function defineFormat(definition: FormatDefinition): FormatParser {
  const { name, open, close, body = 'json' } = definition;
  for (const [option, value] of Object.entries({ name, open, close })) {
    if (typeof value !== 'string' || value === '') {
      throw new InvalidOptionError(`defineFormat: ${option}`, 'a text that is not empty', value);
    }
  }
  const createReader = (context: ReadContext): CallReader =>
    body === 'json'
      ? new JsonBodyReader({ endMarker: close, nextOpening: open }, context)
      : new TextBodyReader(close, (text) => toRawCalls(body(text)));
  const format: Format = {
    openings: [{ text: open }],
    createReader: (_opening, context) => createReader(context),
  };
  return new FormatParser({ ...definition, formats: [format] });
}

function toRawCalls(read: ParsedCall | readonly ParsedCall[] | null): readonly RawCall[] | null {
  if (read === null) return null;
  const calls = isList(read) ? read : [read];
  return areCalls(calls) ? calls.map(toRawCall) : null;
}

function isList(read: ParsedCall | readonly ParsedCall[]): read is readonly ParsedCall[] {
  return Array.isArray(read);
}

export function toRawCall(call: ParsedCall): RawCall {
  const { name, arguments: args, repairs = [], complete = true, lossy = false } = call;
  const { id, argumentsText } = call;
  // Users write parsers in JavaScript too.
  const text = typeof argumentsText === 'string' ? argumentsText : undefined;
  return { id, name, arguments: args, argumentsText: text, repairs, complete, lossy };
}
