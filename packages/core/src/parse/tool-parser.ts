import { callable, text } from '../internal/check-options.ts';
import type { JsonObject, Repair } from '../types.ts';
import type { ParseLimits } from './limits.ts';

/** A call as a parser returns it. Only the name and the arguments are needed. */
export interface ParsedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** JSON text of the arguments as the model wrote it. */
  readonly argumentsText?: string;
  readonly id?: string;
  readonly repairs?: readonly Repair[];
  readonly complete?: boolean;
  readonly lossy?: boolean;
  /** The part of the text that is this call. Without it the call stands for the whole text. */
  readonly raw?: string;
}

/** The last link of a chain: the text itself. */
export interface TextResponse {
  readonly type: 'text';
  readonly content: string;
}

/**
 * The interface of a parser. A parser that implements only this sees a text once it is whole; one made
 * with `defineFormat` reads it as it arrives.
 */
export interface ToolParser {
  readonly name: string;
  /** Whether the text looks like this parser's: a quick look, no parsing. */
  canParse(text: string): boolean;
  /** The calls in the text. Null, or an empty list, means "not a call", and the next parser is tried. */
  parse(text: string): readonly ParsedCall[] | TextResponse | null;
  /** Whether what `parse` returned is well-formed; if not, the next parser is tried. */
  validate(calls: readonly ParsedCall[]): boolean;
  /** Limits of this parser, over those of its registry. */
  readonly limits?: Partial<ParseLimits>;
  /** Literals its calls begin with: with them a stream holds back only what follows one. */
  readonly openings?: readonly string[];
}

const METHODS = ['canParse', 'parse', 'validate'] as const;

/** What was expected where a value is no parser; nothing where it is one. */
export function isParser(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a parser, not its class: create one with new';
  const parser = (typeof value === 'object' && value !== null ? value : {}) as Partial<ToolParser>;
  if (text(parser.name) !== undefined) return `${A_PARSER}; its name is missing`;
  const missing = METHODS.find((method) => callable(parser[method]) !== undefined);
  if (missing !== undefined) return `${A_PARSER}; its method ${missing} is missing`;
  const { openings = [] } = parser;
  const areTexts = Array.isArray(openings) && openings.every((one) => text(one) === undefined);
  return areTexts ? undefined : `${A_PARSER}; its openings are no list of strings`;
}

const A_PARSER = 'an object with name, canParse, parse and validate';
