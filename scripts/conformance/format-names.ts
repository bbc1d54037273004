/**
 * The parser that reads what the vectors of other projects call by another name. `openai` is missing on
 * purpose: one of those projects calls Harmony so.
 */
const PARSERS: ReadonlyMap<string, string> = new Map([
  ['qwen', 'qwen'],
  ['hermes', 'qwen'],
  ['qwen25_hermes', 'qwen'],
  ['qwen3_hermes', 'qwen'],
  ['qwen3vl_hermes', 'qwen'],
  ['granite4', 'qwen'],
  ['tng', 'qwen'],
  ['trinity', 'qwen'],
  ['commentary', 'commentary'],
  ['harmony', 'harmony'],
  ['openai', 'harmony'],
  ['openai_json', 'openai'],
  ['kimi_k2', 'kimi-k2'],
]);

/** The name of our parser for a format of a vector; undefined when we have none. */
export function parserFor(format: string): string | undefined {
  return PARSERS.get(format);
}
