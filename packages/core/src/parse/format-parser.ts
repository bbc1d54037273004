import { isJsonObject } from './call-keys.ts';
import { checkText } from './check-text.ts';
import type { Format } from './format.ts';
import { resolveLimits } from './limits.ts';
import type { ParseLimits } from './limits.ts';
import { runAlone } from './run-alone.ts';
import type { ParsedCall, ToolParser } from './tool-parser.ts';

/**
 * A parser made of formats. In a registry the engine reads its formats as the text arrives; on its own it
 * is used through `canParse`, `parse` and `validate`, like any other parser.
 */
export class FormatParser implements ToolParser {
  readonly name: string;
  readonly formats: readonly Format[];
  readonly limits: Partial<ParseLimits>;
  /** A text it reads a call from, for documentation. */
  readonly sample: string;
  /** Parts of model names that write this way. */
  readonly models: readonly string[];

  constructor(definition: {
    readonly name: string;
    readonly formats: readonly Format[];
    readonly sample?: string;
    readonly models?: readonly string[];
    readonly limits?: Partial<ParseLimits> | undefined;
  }) {
    this.name = definition.name;
    this.formats = definition.formats;
    this.sample = definition.sample ?? '';
    this.models = definition.models ?? [];
    this.limits = definition.limits ?? {};
    resolveLimits(this.limits);
  }

  /** Whether the text holds an opening of this format. Reads nothing. */
  canParse(text: string): boolean {
    // Plain JavaScript may ask about anything.
    if (typeof text !== 'string') return false;
    return this.formats.some(({ openings }) =>
      openings.some((opening) => text.includes(opening.text)),
    );
  }

  /** The calls in the text, or null when there are none. Throws only where it is given no text. */
  parse(text: string): readonly ParsedCall[] | null {
    checkText(text);
    const { calls } = runAlone(this, text);
    return calls.length === 0 ? null : calls;
  }

  validate(calls: readonly ParsedCall[]): boolean {
    return areCalls(calls);
  }
}

/** Whether these are calls, each with a name and an object of arguments: users write parsers in JavaScript too. */
export function areCalls(calls: readonly unknown[]): boolean {
  if (!Array.isArray(calls)) return false;
  return calls.every((call) => {
    if (typeof call !== 'object' || call === null) return false;
    const { name, arguments: args } = call as Partial<ParsedCall>;
    return typeof name === 'string' && name !== '' && isJsonObject(args);
  });
}
