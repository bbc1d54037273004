import { registryOf } from './default-registry.ts';
import type { ParserRegistry } from './parser-registry.ts';
import type { ToolCallStream, ToolCallStreamOptions } from './stream.ts';

/** How `createToolCallStream` reads a text, and whom it tells. */
export interface CreateToolCallStreamOptions extends ToolCallStreamOptions {
  /** The parsers to use. @defaultValue all built-in ones */
  readonly registry?: ParserRegistry;
}

/** Reads the tool calls out of a model's answer as it arrives. */
export function createToolCallStream(options: CreateToolCallStreamOptions): ToolCallStream {
  return registryOf(options).createStream(options);
}
