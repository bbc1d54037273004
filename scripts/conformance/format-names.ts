import { createDefaultRegistry } from '@holdfast/core/parse';

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
  ['gemma4', 'gemma4'],
  ['functiongemma', 'functiongemma'],
  ['qwen3_coder', 'qwen3-coder'],
  ['qwen3.5_coder_xml', 'qwen3-coder'],
  ['nemotron_v3', 'qwen3-coder'],
  ['nemotron3_nano_qwen3coder', 'qwen3-coder'],
  ['step3p5', 'qwen3-coder'],
  ['mimo_xml', 'qwen3-coder'],
  ['seed_oss', 'seed-oss'],
  ['glm45', 'glm'],
  ['glm46', 'glm'],
  ['glm47', 'glm'],
  ['ling3', 'glm'],
  ['poolside_v1', 'glm'],
  ['laguna', 'glm'],
  ['hy_v3', 'hy3'],
  ['hunyuan_hy3', 'hy3'],
  ['longcat', 'longcat-pairs'],
  ['mistral', 'mistral'],
  ['mistral_args', 'mistral'],
  ['mistral_args_callid', 'mistral'],
  ['minimax_m2', 'minimax-m2'],
  ['deepseek_v32', 'deepseek-dsml'],
  ['deepseek_v32_dsml', 'deepseek-dsml'],
  ['deepseek_v4', 'deepseek-dsml'],
  ['deepseek_v4_dsml', 'deepseek-dsml'],
  ['dots', 'dots'],
  ['kimi_k3', 'kimi-k3'],
  ['minicpm5', 'minicpm5'],
  ['minimax_m3', 'minimax-m3'],
  ['muse_glimmer', 'muse-glimmer'],
  ['muse_glimmer_atem', 'muse-glimmer'],
  ['step3', 'step3'],
]);

const REGISTERED: ReadonlySet<string> = new Set(
  createDefaultRegistry()
    .list()
    .map(({ name }) => name),
);

/** The name of our parser for a format of a vector; undefined when we have none. */
export function parserFor(format: string): string | undefined {
  const parser = PARSERS.get(format);
  return parser !== undefined && REGISTERED.has(parser) ? parser : undefined;
}
