/** What tells servers apart. */
export interface ServerSigns {
  readonly headers: Readonly<Record<string, string>>;
  readonly owners: readonly string[];
  readonly port: number;
}

const BY_OWNER: readonly (readonly [RegExp, string])[] = [
  [/^holdfast-demo$/, 'the demo upstream of Holdfast'],
  [/^llamacpp$/, 'llama.cpp'],
  [/^vllm$/, 'vLLM'],
  [/^sglang$/, 'SGLang'],
  [/^library$/, 'Ollama'],
  [/^organization_owner$/, 'LM Studio'],
  [/^mlx/, 'MLX'],
  [/^koboldcpp$/i, 'KoboldCpp'],
  [/^tabbyapi$/i, 'TabbyAPI'],
  [/^(?:openai|openai-internal|system)$/, 'OpenAI'],
];

const BY_HEADER: readonly (readonly [RegExp, string])[] = [
  [/llama\.cpp/i, 'llama.cpp'],
  [/ollama/i, 'Ollama'],
  [/BaseHTTP/i, 'MLX (mlx_lm.server)'],
  [/litellm/i, 'LiteLLM'],
];

/** Where servers listen unless told otherwise. */
export const USUAL_PORTS: Readonly<Record<number, string>> = {
  1234: 'LM Studio',
  1337: 'Jan',
  5000: 'text-generation-webui',
  5001: 'KoboldCpp',
  8000: 'vLLM',
  8080: 'llama.cpp or MLX',
  11434: 'Ollama',
  30000: 'SGLang',
};

/** Which program a server seems to be, and by what; undefined when nothing tells. */
export function guessServer({ headers, owners, port }: ServerSigns): string | undefined {
  for (const owner of owners) {
    const found = BY_OWNER.find(([pattern]) => pattern.test(owner));
    if (found !== undefined) return `${found[1]}, by the owner of its models`;
  }
  const said = [headers['server'], headers['x-powered-by'], headers['via']].join(' ');
  const found = BY_HEADER.find(([pattern]) => pattern.test(said));
  if (found !== undefined) return `${found[1]}, by its headers`;
  const usual = USUAL_PORTS[port];
  return usual === undefined ? undefined : `perhaps ${usual}, by its port`;
}
