import { CommentaryToolParser } from './formats/commentary.ts';
import { CustomToolParser } from './formats/custom.ts';
import { DIALECTS } from './formats/dialects.ts';
import { FallbackParser } from './formats/fallback.ts';
import { OpenAIToolParser } from './formats/openai.ts';
import { QwenToolParser } from './formats/qwen.ts';
import type { FormatParser } from './format-parser.ts';
import { ParserRegistry } from './parser-registry.ts';
import type { ParserRegistryOptions } from './parser-registry.ts';

/** What a registry has besides the built-in formats. */
export interface DefaultRegistryOptions extends Omit<ParserRegistryOptions, 'order'> {
  /** Formats of your own, tried after the built-in ones. To give one another place, `register` it. */
  readonly custom?: readonly FormatParser[];
}

/** A registry with every built-in parser. */
export function createDefaultRegistry(options: DefaultRegistryOptions = {}): ParserRegistry {
  const registry = new ParserRegistry(options)
    .register(new QwenToolParser(), 110)
    .register(new OpenAIToolParser(), 100)
    .register(new CommentaryToolParser(), 50)
    .register(new CustomToolParser(options.custom), 25)
    .register(new FallbackParser(), 1);
  for (const { parser, priority } of DIALECTS) registry.register(parser, priority);
  return registry;
}

let shared: ParserRegistry | undefined;

/** The registry used where none is given. Nobody else can reach it, so nobody can change it. */
export function sharedRegistry(): ParserRegistry {
  shared ??= createDefaultRegistry();
  return shared;
}
