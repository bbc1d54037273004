import { InvalidOptionError } from '../errors.ts';
import { callable, checkOptions, object } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import { CommentaryToolParser } from './formats/commentary.ts';
import { CustomToolParser } from './formats/custom.ts';
import { DIALECTS } from './formats/dialects.ts';
import { FallbackParser } from './formats/fallback.ts';
import { OpenAIToolParser } from './formats/openai.ts';
import { QwenToolParser } from './formats/qwen.ts';
import { FormatParser } from './format-parser.ts';
import { ParserRegistry, REGISTRY_RULES } from './parser-registry.ts';
import type { ParserRegistryOptions } from './parser-registry.ts';

/** What a registry has besides the built-in formats. */
export interface DefaultRegistryOptions extends Omit<ParserRegistryOptions, 'order'> {
  /** Formats of your own, tried after the built-in ones. To give one another place, `register` it. */
  readonly custom?: readonly FormatParser[];
}

const { limits, clock } = REGISTRY_RULES;
const RULES: Readonly<Record<string, OptionRule>> = {
  limits,
  clock,
  custom: (value) =>
    Array.isArray(value) && value.every((one) => one instanceof FormatParser)
      ? undefined
      : 'a list of formats, each made with defineFormat',
  order: () =>
    'no order, since the built-in priorities are tried highest first; for another order register parsers in new ParserRegistry({ order })',
};

/** A registry with every built-in parser. */
export function createDefaultRegistry(options: DefaultRegistryOptions = {}): ParserRegistry {
  checkOptions(options, RULES, 'createDefaultRegistry');
  const { custom, ...own } = options;
  const registry = new ParserRegistry(own)
    .register(new QwenToolParser(), 110)
    .register(new OpenAIToolParser(), 100)
    .register(new CommentaryToolParser(), 50)
    .register(new CustomToolParser(custom), 25)
    .register(new FallbackParser(), 1);
  for (const { parser, priority } of DIALECTS) registry.register(parser, priority);
  return registry;
}

let shared: ParserRegistry | undefined;

/** The registry that options name, or the one used where they name none. */
export function registryOf(options: { readonly registry?: ParserRegistry }): ParserRegistry {
  if (object(options) !== undefined) throw new InvalidOptionError('options', 'an object', options);
  const { registry } = options;
  if (registry === undefined) return sharedRegistry();
  // Of another copy of the library it is an instance of another class.
  if (
    object(registry) !== undefined ||
    callable((registry as { readonly createStream?: unknown }).createStream) !== undefined
  )
    throw new InvalidOptionError('registry', 'a ParserRegistry', registry);
  return registry;
}

/** The registry used where none is given. Nobody else can reach it, so nobody can change it. */
export function sharedRegistry(): ParserRegistry {
  shared ??= createDefaultRegistry();
  return shared;
}
