import type { ToolResult } from '@holdfast/core/advise';
import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core/parse';
import { BadInputError } from './bad-input-error.ts';
import { policyOf } from './policy.ts';
import type { Policy } from './policy.ts';

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
  readonly policy: Policy;
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

/** What a tool returned, and what became of the call: a type of failure, or `success`. */
export interface OutcomeVector {
  readonly shape: 'outcome';
  readonly id: string;
  readonly kind: string;
  readonly result: ToolResult;
  readonly label: string;
}

/** A vector of a known shape that nothing here can run. */
export interface IdleVector {
  readonly shape: 'idle';
  readonly id: string;
  readonly kind: string;
  readonly reason: string;
}

export type Vector = ToolCallVector | JsonVector | ValueVector | OutcomeVector | IdleVector;

type Fields = Readonly<Record<string, unknown>>;

/** Tells the shape of a vector by its content. `where` is `file:line`, for the message if it has none. */
export function readVector(value: unknown, where: string): Vector {
  if (!isFields(value)) throw new BadInputError(`${where}: expected a JSON object`);
  const id = typeof value['id'] === 'string' ? value['id'] : where;
  const idle = idleReason(value);
  if (idle !== undefined) return { shape: 'idle', id, ...idle };
  if ('label' in value && 'tool' in value && 'output' in value) return readOutcomeVector(value, id);
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
    forbidsCalls,
    policy: policyOf(value, { id, format, input, forbidsCalls }),
    expected: {
      calls,
      ...(content === undefined ? {} : { content }),
      ...(typeof reasoning === 'string' ? { reasoning } : {}),
    },
  };
}

function readContent(value: Fields, expected: Fields, forbidsCalls: boolean): string | undefined {
  if (value['content_asserted'] === false) return undefined;
  const { content } = expected;
  if (typeof content === 'string') return content;
  // Without calls to compare, a call that leaks into the text is all there is to find.
  return forbidsCalls ? '' : undefined;
}

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

function readOutcomeVector(value: Fields, id: string): OutcomeVector {
  const { is_error_flag: isError, exit_code: exitCode } = value;
  const result = {
    tool: String(value['tool']),
    output: String(value['output']),
    ...(typeof isError === 'boolean' && { isError }),
    ...(typeof exitCode === 'number' && { exitCode }),
  };
  return { shape: 'outcome', id, kind: 'outcome', result, label: String(value['label']) };
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
