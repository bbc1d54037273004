import { InvalidOptionError } from '../errors.ts';
import { callable, object } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { MonotonicClock } from '../internal/clock.ts';
import type { ToolsInput } from '../types.ts';

/** How a text is read. */
export interface ParseOptions {
  /** The tools that were offered, in any shape: names that nearly match are repaired, values are typed by the schemas. */
  readonly tools?: ToolsInput;
  /** The name of a parser that goes first where several claim an opening. The others stay in use. */
  readonly format?: string;
  /** The names of the parsers to use, and no others. @defaultValue all that are registered */
  readonly formats?: readonly string[];
  /** The name of the model: the parser made for it goes first. `format` wins over it. */
  readonly model?: string;
  /**
   * Whether the text begins inside a reasoning block whose opening tag was part of the prompt. With `'auto'`,
   * calls before the end of reasoning that the text did not begin are reasoning: a stream holds everything from
   * the first call on until the text ends or shows it. @defaultValue 'auto', and false for a stream
   */
  readonly startsInReasoning?: boolean | 'auto';
  /** Whether `<think>` and its kin are separated, or left in the text. @defaultValue 'separate' */
  readonly reasoning?: 'separate' | 'text';
  /**
   * What to do with calls inside reasoning: read them if the reasoning never ends after them, as some models
   * forget to end it; leave them there; or read them. @defaultValue 'if-unclosed'
   */
  readonly callsInReasoning?: 'if-unclosed' | 'ignore' | 'read';
  /**
   * With `tools`, what a call of a tool that was not offered is: text, a call that an issue is reported on,
   * or simply a call. @defaultValue 'text'
   */
  readonly unknownTool?: 'text' | 'issue' | 'call';
  /**
   * With `tools`, whether text that names an offered tool with arguments that fit its parameters is a call
   * without any markup, as `get_weather(city="Oslo")` on a line. @defaultValue true
   */
  readonly bareCalls?: boolean;
  /** A call the text ended in comes back as text, or as a call that is marked incomplete. @defaultValue 'text' */
  readonly incompleteCalls?: 'text' | 'call';
  /** Tell why: each parser tried, where, and what it decided. @defaultValue false */
  readonly explain?: boolean;
  /** Makes ids for calls the model gave none. @defaultValue a random id in OpenAI's style */
  readonly nextId?: () => string;
  /** Where time comes from. @defaultValue the system's monotonic clock */
  readonly clock?: MonotonicClock;
}

/** How a text is read unless told otherwise. */
export const PARSE_DEFAULTS: Required<
  Pick<
    ParseOptions,
    | 'startsInReasoning'
    | 'reasoning'
    | 'callsInReasoning'
    | 'unknownTool'
    | 'bareCalls'
    | 'incompleteCalls'
    | 'explain'
  >
> = Object.freeze({
  startsInReasoning: 'auto',
  reasoning: 'separate',
  callsInReasoning: 'if-unclosed',
  unknownTool: 'text',
  bareCalls: true,
  incompleteCalls: 'text',
  explain: false,
});

/** What a text is read with when nothing is said. */
export const NO_OPTIONS: ParseOptions = Object.freeze({});

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  startsInReasoning: [true, false, 'auto'],
  reasoning: ['separate', 'text'],
  callsInReasoning: ['if-unclosed', 'ignore', 'read'],
  unknownTool: ['text', 'issue', 'call'],
  bareCalls: [true, false],
  incompleteCalls: ['text', 'call'],
  explain: [true, false],
};
const OTHERS: Readonly<Record<string, OptionRule>> = {
  tools: () => undefined,
  format: isText,
  formats: isListOfNames,
  model: isText,
  nextId: callable,
  clock: isClock,
  registry: () => undefined,
  onEvent: callable,
};

/** Throws on an option that does not exist or cannot have its value, naming both. */
export function checkParseOptions(options: ParseOptions): void {
  if (options === NO_OPTIONS) return;
  const expectedOptions = object(options);
  if (expectedOptions !== undefined)
    throw new InvalidOptionError('options', expectedOptions, options);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const choices = Object.hasOwn(CHOICES, name) ? CHOICES[name] : undefined;
    const rule = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
    if (choices === undefined && rule === undefined) {
      const known = [...Object.keys(CHOICES), ...Object.keys(OTHERS)].sort().join(', ');
      throw new InvalidOptionError('options', `only ${known}`, name);
    }
    const expected = value === undefined ? undefined : rule?.(value);
    if (expected !== undefined) throw new InvalidOptionError(name, expected, value);
    if (value !== undefined && choices?.includes(value) === false) {
      throw new InvalidOptionError(
        name,
        choices.map((choice) => JSON.stringify(choice)).join(' or '),
        value,
      );
    }
  }
}

function isText(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'a string';
}

function isListOfNames(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
  return isList && value.length > 0 ? undefined : 'a list of names of parsers';
}

export function isClock(value: unknown): string | undefined {
  const isRight =
    object(value) === undefined &&
    callable((value as { readonly now?: unknown }).now) === undefined;
  return isRight ? undefined : 'a clock with a method now';
}
