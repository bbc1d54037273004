/** How a project reads where that is its choice, not the format's: which of our options it corresponds to. */
export interface Policy {
  readonly startsInReasoning: boolean;
  readonly keepsReasoningInText: boolean;
  /** Its models make calls while they think. */
  readonly readsCallsInReasoning: boolean;
  /** Its parser of calls is tested apart from that of thoughts, which are text to it. */
  readonly countsThoughts: boolean;
  /** What becomes of a call of a tool that was not offered. */
  readonly unknownTool: 'text' | 'call' | 'dropped';
  /** What becomes of a call the text ends in. */
  readonly cutCall: 'text' | 'call' | 'dropped';
  /** It keeps only the text before the first call. We keep all: what lies before is compared. */
  readonly keepsOnlyLead: boolean;
  /** The stream was not ended: what may still become a call is held back. */
  readonly isUnfinished: boolean;
}

interface About {
  readonly id: string;
  readonly format: string;
  readonly input: string;
  readonly forbidsCalls: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export function policyOf(value: Fields, about: About): Policy {
  const { id, format } = about;
  const context = fieldsOf(value['context']);
  return {
    startsInReasoning: startsInReasoning(value, context, about),
    keepsReasoningInText: keepsReasoningInText(context, id, format),
    readsCallsInReasoning: format === 'trinity',
    countsThoughts: id.startsWith('sglang/') && THOUGHTLESS.has(format),
    unknownTool: unknownTool(value, about),
    cutCall: cutCall(value, id, format),
    keepsOnlyLead:
      id.startsWith('sglang-gateway/') || (id.startsWith('vllm-') && ENDING.has(format)),
    isUnfinished:
      value['flushed'] === false ||
      context['flushed'] === false ||
      /^ollama\/.*ParserStreaming/.test(id),
  };
}

// ── calls ───────────────────────────────────────────────────────────────────────────────────────

/** Parsers of a project that checks no names otherwise, and of one that otherwise does. */
const CHECKING: ReadonlySet<string> = new Set([
  'glm45',
  'glm47',
  'ling3',
  'minimax_m2',
  'dots',
  'minicpm5',
]);
const UNCHECKING: ReadonlySet<string> = new Set(['inkling', 'kimi_k3', 'gemma4']);

function unknownTool(value: Fields, { id, format, forbidsCalls }: About): Policy['unknownTool'] {
  // Where the request forbids calls they are left out, whatever they call.
  if (forbidsCalls) return 'call';
  // This parser keeps the block of an unknown tool in every project.
  if (format === 'minicpm5') return 'text';
  if (saysPolicy(value, /undeclared tools dropped|hard error/)) return 'dropped';
  if (id.startsWith('sglang/')) return UNCHECKING.has(format) ? 'call' : 'text';
  return id.startsWith('vllm-') && !CHECKING.has(format) ? 'call' : 'text';
}

/** Parsers that return what there is of a call the text ends in, and those that leave it out. */
const SALVAGING: ReadonlySet<string> = new Set([
  'vllm-deepseek_v32',
  'vllm-gemma4',
  'vllm-inkling',
  'sglang-qwen3_coder',
]);
const DROPPING: ReadonlySet<string> = new Set(['sglang-muse_glimmer_atem', 'sglang-kimi_k3']);

function cutCall(value: Fields, id: string, format: string): Policy['cutCall'] {
  if (saysPolicy(value, /hard error/)) return 'dropped';
  const parser = `${/^[a-z]+/.exec(id)?.[0] ?? ''}-${format}`;
  if (SALVAGING.has(parser)) return 'call';
  return DROPPING.has(parser) ? 'dropped' : 'text';
}

/** Parsers that drop what stands behind the calls. */
const ENDING: ReadonlySet<string> = new Set(['kimi_k2', 'longcat', 'hy_v3', 'hermes']);

function saysPolicy(value: Fields, pattern: RegExp): boolean {
  const { policy } = value;
  return Array.isArray(policy) && policy.some((one) => pattern.test(String(one)));
}

// ── reasoning ───────────────────────────────────────────────────────────────────────────────────

/** Parsers that leave reasoning in the text, one that never does, and those that know nothing of it. */
const KEEPING: ReadonlySet<string> = new Set(['tng', 'xlam', 'ollama_generic_tag']);
const SEPARATING: ReadonlySet<string> = new Set(['solar_open']);
const THOUGHTLESS: ReadonlySet<string> = new Set(['muse_glimmer_atem', 'inkling']);

/** Whether reasoning stays in the text: the request says so, or that parser always does it. */
function keepsReasoningInText(context: Fields, id: string, format: string): boolean {
  if (KEEPING.has(format) || context['think'] === false) return true;
  if (/^ollama\/.*NonThinking/.test(id)) return true;
  return context['reasoning_format'] === 'none' && !SEPARATING.has(format);
}

function startsInReasoning(value: Fields, context: Fields, { id, input }: About): boolean {
  if (value['starts_in_reasoning'] === true || context['thinking_forced_open'] === true)
    return true;
  const { note } = value;
  if (typeof note === 'string' && note.includes('opened by the generation prompt')) return true;
  if (keepsReasoningInText(context, id, '')) return false;
  if (context['enable_thinking'] === true && FORCING.has(String(context['template']))) return true;
  // One project has parsers of their own for models that always begin with thoughts.
  if (/^ollama\/.*Thinking/.test(id)) return !/^<think>|Prefill/.test(input);
  const isThinking =
    context['enable_thinking'] === true ||
    context['think'] === true ||
    context['reasoning_format'] === 'auto' ||
    id.startsWith('ollama/');
  return isThinking && hasLostOpening(input);
}

/** Templates whose prompt always begins the reasoning when it is wanted. */
const FORCING: ReadonlySet<string> = new Set(['Qwen3.5-4B', 'deepseek-ai-DeepSeek-V4', 'Kimi-K3']);

/** Whether reasoning ends that nothing in the text began: its beginning was part of the prompt. */
function hasLostOpening(input: string): boolean {
  return REASONING.some(([open, close]) => {
    const closing = input.indexOf(close);
    const opening = input.indexOf(open);
    return closing >= 0 && (opening < 0 || closing < opening);
  });
}

const REASONING = [
  ['<think>', '</think>'],
  ['<mm:think>', '</mm:think>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel>', '<channel|>'],
  ['<|open|>think', '<|close|>think'],
  ['Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]'],
] as const;

/** The content without the tag of the prompt, which one project puts back where it leaves reasoning in the text. */
export function withoutPromptTag(content: string, input: string): string {
  const found = REASONING.find(([open]) => content.startsWith(open) && !input.includes(open));
  return found === undefined ? content : content.slice(found[0].length);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
