import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core/parse';
import { BadInputError } from './bad-input-error.ts';

export interface ExpectedCall {
  readonly name: string;
  /** Null where the arguments are not whole yet: then only the name counts. */
  readonly arguments: unknown;
  readonly id?: string;
}

/** A model's answer and what it means. */
export interface ToolCallVector {
  readonly shape: 'tool-call';
  readonly id: string;
  readonly format: string;
  readonly input: string;
  readonly chunks?: readonly string[];
  readonly tools?: readonly ToolDefinition[];
  readonly isPrefix: boolean;
  /** The stream was not ended: what may still become a call is held back. */
  readonly isUnfinished: boolean;
  /** Its project keeps only the text before the first call. */
  readonly keepsOnlyLead: boolean;
  /** Its models make calls while they think. */
  readonly readsCallsInReasoning: boolean;
  /** Its parser of calls is tested apart from that of thoughts, which are text to it. */
  readonly countsThoughts: boolean;
  readonly startsInReasoning: boolean;
  readonly keepsReasoningInText: boolean;
  /** What its project does with a call of a tool that was not offered. */
  readonly unknownTool: 'text' | 'call';
  /** The request forbade calls. */
  readonly forbidsCalls: boolean;
  readonly expected: {
    readonly calls: readonly ExpectedCall[];
    /** Undefined where the text does not count. */
    readonly content?: string;
    readonly reasoning?: string;
  };
}

/** A text and the JSON value it stands for. */
export interface JsonVector {
  readonly shape: 'json';
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  /** Any of these is right. None: the text holds no value. */
  readonly accepted: readonly unknown[];
  readonly expectsCall: boolean;
  readonly isTruncated: boolean;
  /** Whether the answers are ours; those of other projects show habits and bind nobody. */
  readonly isBinding: boolean;
}

/** A value, the schema it is read by, and what it means. The answers of other projects bind nobody. */
export interface ValueVector {
  readonly shape: 'value';
  readonly id: string;
  readonly kind: string;
  readonly input: JsonValue;
  /** Undefined where there is none. */
  readonly schema: JsonValue | undefined;
  /** Whether the input is what was written, or a value that has a type already. */
  readonly isText: boolean;
  readonly expected: unknown;
}

/** A vector of a known shape that nothing here can run. */
export interface IdleVector {
  readonly shape: 'idle';
  readonly id: string;
  readonly kind: string;
  readonly reason: string;
}

export type Vector = ToolCallVector | JsonVector | ValueVector | IdleVector;

type Fields = Readonly<Record<string, unknown>>;

/** Tells the shape of a vector by its content. `where` is `file:line`, for the message if it has none. */
export function readVector(value: unknown, where: string): Vector {
  if (!isFields(value)) throw new BadInputError(`${where}: expected a JSON object`);
  const id = typeof value['id'] === 'string' ? value['id'] : where;
  const idle = idleReason(value);
  if (idle !== undefined) return { shape: 'idle', id, ...idle };
  if ('schema' in value || 'schema_type' in value) return readValueVector(value, id);
  const { expected } = value;
  if (isFields(expected) && Array.isArray(expected['tool_calls']))
    return readToolCallVector(value, expected, id, where);
  if (
    typeof value['input'] === 'string' &&
    'expected' in value &&
    typeof value['kind'] === 'string'
  )
    return readJsonVector(value, id, value['input'], value['kind']);
  const keys = Object.keys(value).join(', ');
  throw new BadInputError(`${where}: a vector of unknown shape, with the keys ${keys}`);
}

function idleReason(value: Fields): { kind: string; reason: string } | undefined {
  if ('step' in value && 'output' in value)
    return { kind: 'pythonic repair', reason: 'no format has a pythonic body' };
  if ('label' in value && 'tool' in value && 'output' in value)
    return { kind: 'classify', reason: 'nothing public classifies the outcome of a tool' };
  if (value['kind'] === 'partial_args')
    return { kind: 'partial_args', reason: 'its calls name no tool, so no fragments are told' };
  const options = value['options'];
  if (value['kind'] !== 'relaxed_json') return undefined;
  if (typeof value['error'] === 'string')
    return { kind: 'relaxed_json', reason: 'it wants an error where we repair' };
  if (isFields(options) && 'reviver' in options)
    return { kind: 'relaxed_json', reason: 'it wants a reviver function' };
  return undefined;
}

function readToolCallVector(
  value: Fields,
  expected: Fields,
  id: string,
  where: string,
): ToolCallVector {
  const { format, chunks } = value;
  if (typeof format !== 'string') throw new BadInputError(`${where}: expected a text as format`);
  const ownChunks = isStrings(chunks) ? chunks : undefined;
  const input = typeof value['input'] === 'string' ? value['input'] : ownChunks?.join('');
  if (input === undefined) throw new BadInputError(`${where}: expected input or chunks`);
  const context = isFields(value['context']) ? value['context'] : {};
  const calls = (expected['tool_calls'] as unknown[]).map((call) => readCall(call, where));
  // Parsers tested on their own do not know the request, and return calls even where it forbids them.
  const forbidsCalls = value['tool_choice'] === 'none' && calls.length === 0;
  const tools = readTools(value['tools']);
  const content = readContent(value, expected, forbidsCalls);
  const { reasoning } = expected;
  return {
    shape: 'tool-call',
    id,
    format,
    input,
    ...(ownChunks === undefined ? {} : { chunks: ownChunks }),
    ...(tools === undefined ? {} : { tools }),
    isPrefix: value['mode'] === 'partial' || calls.some((call) => call.arguments === null),
    isUnfinished: value['flushed'] === false || context['flushed'] === false || isUnflushedTest(id),
    keepsOnlyLead: keepsOnlyLead(id, format),
    readsCallsInReasoning: format === 'trinity',
    countsThoughts: id.startsWith('sglang/') && THOUGHTFUL.has(format),
    startsInReasoning: startsInReasoning(value, context, input, id),
    keepsReasoningInText: keepsReasoningInText(id, format, context),
    // Where the request forbids calls they are dropped, whatever they call.
    unknownTool: forbidsCalls || passesAnyName(id, format) ? 'call' : 'text',
    forbidsCalls,
    expected: {
      calls,
      ...(content === undefined ? {} : { content }),
      ...(typeof reasoning === 'string' ? { reasoning } : {}),
    },
  };
}

/** One project passes on calls of tools that were not offered, but for a few parsers; another only in a few. */
function passesAnyName(id: string, format: string): boolean {
  if (id.startsWith('sglang/')) return PASSING.has(format);
  return id.startsWith('vllm-') && !VALIDATING.has(format);
}

const PASSING: ReadonlySet<string> = new Set(['inkling', 'kimi_k3', 'gemma4']);

const VALIDATING: ReadonlySet<string> = new Set([
  'glm45',
  'glm47',
  'ling3',
  'minimax_m2',
  'dots',
  'minicpm5',
]);

function readContent(value: Fields, expected: Fields, forbidsCalls: boolean): string | undefined {
  if (value['content_asserted'] === false) return undefined;
  const { content } = expected;
  if (typeof content === 'string') return content;
  // Without calls to compare, a call that leaks into the text is all there is to find.
  return forbidsCalls ? '' : undefined;
}

function startsInReasoning(value: Fields, context: Fields, input: string, id: string): boolean {
  if (value['starts_in_reasoning'] === true || context['thinking_forced_open'] === true)
    return true;
  const { note } = value;
  if (typeof note === 'string' && note.includes('opened by the generation prompt')) return true;
  if (keepsReasoningInText(id, '', context)) return false;
  // One project has parsers of their own for models that always begin with thoughts.
  if (/^ollama\/.*Thinking/.test(id)) return !/^<think>|Prefill/.test(input);
  const isThinking =
    context['enable_thinking'] === true ||
    context['think'] === true ||
    context['reasoning_format'] === 'auto' ||
    id.startsWith('ollama/');
  return isThinking && hasLostOpening(input);
}

/** One project tests what its streams have told before they end. */
function isUnflushedTest(id: string): boolean {
  return /^ollama\/.*ParserStreaming/.test(id);
}

/** Whether its project drops the text behind the first call. We keep it: what lies before is compared. */
function keepsOnlyLead(id: string, format: string): boolean {
  if (id.startsWith('sglang-gateway/')) return true;
  return id.startsWith('vllm-') && DROPPING.has(format);
}

const DROPPING: ReadonlySet<string> = new Set(['kimi_k2', 'longcat', 'hy_v3', 'hermes']);

/** Whether its project leaves reasoning in the text: it was told to, or that parser always does. */
function keepsReasoningInText(id: string, format: string, context: Fields): boolean {
  if (KEEPING.has(format) || context['think'] === false) return true;
  if (/^ollama\/.*NonThinking/.test(id)) return true;
  return context['reasoning_format'] === 'none' && !SEPARATING.has(format);
}

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

/** Parsers that leave reasoning in the text, and one that never does. */
const KEEPING: ReadonlySet<string> = new Set(['tng', 'xlam', 'ollama_generic_tag']);
/** Parsers of one project that know nothing of the thoughts between the calls. */
const THOUGHTFUL: ReadonlySet<string> = new Set(['muse_glimmer_atem', 'inkling']);
const SEPARATING: ReadonlySet<string> = new Set(['solar_open']);

function readCall(call: unknown, where: string): ExpectedCall {
  if (!isFields(call) || typeof call['name'] !== 'string')
    throw new BadInputError(`${where}: expected every tool call to have a name`);
  const { name, id } = call;
  const read = { name, arguments: call['arguments'] ?? null };
  return typeof id === 'string' ? { ...read, id } : read;
}

function readTools(tools: unknown): readonly ToolDefinition[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  return tools.flatMap((tool: unknown) => {
    const inner = isFields(tool) && isFields(tool['function']) ? tool['function'] : tool;
    if (!isFields(inner) || typeof inner['name'] !== 'string') return [];
    const { name, parameters } = inner;
    return isFields(parameters) ? { name, parameters: parameters as JsonObject } : { name };
  });
}

function readJsonVector(value: Fields, id: string, input: string, kind: string): JsonVector {
  const common = { shape: 'json', id, kind, input, isTruncated: kind === 'truncated' } as const;
  const { expected, also } = value;
  if (kind === 'relaxed_json') {
    const accepted = expected === '__undefined__' ? [] : [expected];
    return { ...common, accepted, expectsCall: false, isBinding: false };
  }
  if (kind === 'json_healing') {
    const accepted = isFields(expected) ? [withoutMarker(expected)] : [];
    return { ...common, accepted, expectsCall: false, isBinding: false };
  }
  const accepted = [expected, ...(Array.isArray(also) ? (also as unknown[]) : [])];
  return { ...common, accepted, expectsCall: true, isBinding: true };
}

function readValueVector(value: Fields, id: string): ValueVector {
  const isText = 'schema_type' in value;
  const schema = isText ? { type: value['schema_type'] } : value['schema'];
  return {
    shape: 'value',
    id,
    kind: isText ? 'text by type' : 'value by schema',
    input: (isText ? value['value'] : value['input']) as JsonValue,
    schema: schema === '__undefined__' ? undefined : (unwrapSchema(schema) as JsonValue),
    isText,
    expected: value['expected'],
  };
}

/** One project's own way to hand over a schema: inside an object with this one key. */
function unwrapSchema(schema: unknown): unknown {
  return isFields(schema) && isFields(schema['jsonSchema']) ? schema['jsonSchema'] : schema;
}

/** What was certain when the text was cut: the healed value without what the marker stands in for. */
function withoutMarker(expected: Fields): unknown {
  const healed = expected['healed_with_marker_$foo'];
  return typeof healed === 'string' ? cutAtMarker(JSON.parse(healed)) : undefined;
}

const MARKER = '$foo';

function cutAtMarker(value: unknown): unknown {
  if (typeof value === 'string') {
    const at = value.indexOf(MARKER);
    if (at < 0) return value;
    return at === 0 ? undefined : value.slice(0, at);
  }
  if (Array.isArray(value)) return value.map(cutAtMarker).filter((item) => item !== undefined);
  if (!isFields(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, cutAtMarker(member)] as const);
  return Object.fromEntries(
    members.filter(([key, member]) => !key.includes(MARKER) && member !== undefined),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
