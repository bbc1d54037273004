import { InvalidOptionError } from '../errors.ts';
import type { Clock } from '../internal/clock.ts';
import type { ToolDefinition } from '../types.ts';

/** How a text is read. */
export interface ParseOptions {
  /** The tools that were offered: near misses of a name are set right, unknown names are reported. */
  readonly tools?: readonly ToolDefinition[];
  /** The name of a parser that goes first where several claim an opening. The others stay in use. */
  readonly format?: string;
  /** The name of the model: the parser made for it goes first. `format` wins over it. */
  readonly model?: string;
  /** The text begins inside a reasoning block whose opening tag was part of the prompt. @defaultValue false */
  readonly startsInReasoning?: boolean;
  /** Whether `<think>` and its kin are separated, or left in the text. @defaultValue 'separate' */
  readonly reasoning?: 'separate' | 'text';
  /** What to do with calls inside reasoning: leave them there, or read them. @defaultValue 'ignore' */
  readonly callsInReasoning?: 'ignore' | 'read';
  /** A call the text ended in comes back as text, or as a call that is marked incomplete. @defaultValue 'text' */
  readonly incompleteCalls?: 'text' | 'call';
  /** Tell why: each parser tried, where, and what it decided. @defaultValue false */
  readonly explain?: boolean;
  /** Makes ids for calls the model gave none. @defaultValue a random id in OpenAI's style */
  readonly nextId?: () => string;
  /** Where time comes from. @defaultValue the system's monotonic clock */
  readonly clock?: Clock;
}

export const PARSE_DEFAULTS: Required<
  Pick<
    ParseOptions,
    'startsInReasoning' | 'reasoning' | 'callsInReasoning' | 'incompleteCalls' | 'explain'
  >
> = Object.freeze({
  startsInReasoning: false,
  reasoning: 'separate',
  callsInReasoning: 'ignore',
  incompleteCalls: 'text',
  explain: false,
});

/** What a text is read with when nothing is said. */
export const NO_OPTIONS: ParseOptions = Object.freeze({});

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  startsInReasoning: [true, false],
  reasoning: ['separate', 'text'],
  callsInReasoning: ['ignore', 'read'],
  incompleteCalls: ['text', 'call'],
  explain: [true, false],
};
const OTHERS: readonly string[] = [
  'tools',
  'format',
  'model',
  'nextId',
  'clock',
  'registry',
  'onEvent',
];

/** Throws on an option that does not exist or cannot have its value, naming both. */
export function checkParseOptions(options: ParseOptions): void {
  if (options === NO_OPTIONS) return;
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const choices = CHOICES[name];
    if (choices === undefined && !OTHERS.includes(name)) {
      const known = [...Object.keys(CHOICES), ...OTHERS].sort().join(', ');
      throw new InvalidOptionError('options', `only ${known}`, name);
    }
    if (value !== undefined && choices?.includes(value) === false) {
      throw new InvalidOptionError(
        name,
        choices.map((choice) => JSON.stringify(choice)).join(' or '),
        value,
      );
    }
  }
}
