import { registryOf } from './default-registry.ts';
import { NO_OPTIONS } from './parse-options.ts';
import type { ParseOptions } from './parse-options.ts';
import type { ParseResult } from './parse-result.ts';
import type { ParserRegistry } from './parser-registry.ts';

/** How `parseToolCalls` reads a text. */
export interface ParseToolCallsOptions extends ParseOptions {
  /** The parsers to use. @defaultValue all built-in ones */
  readonly registry?: ParserRegistry;
}

/** Reads the tool calls out of a model's whole answer, in whatever format it wrote them. */
export function parseToolCalls(
  text: string,
  options: ParseToolCallsOptions = NO_OPTIONS,
): ParseResult {
  return registryOf(options).parse(text, options);
}
