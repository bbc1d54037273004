import { callId } from '../internal/random.ts';
import { isRecord } from '../internal/record.ts';
import type { UnknownRecord } from '../internal/record.ts';
import { showValue } from '../internal/schema-problem.ts';
import { parseJson } from '../parse/json/parse-json.ts';
import type { JsonObject, JsonValue, Repair, ToolCall } from '../types.ts';

/** A call in Holdfast's own shape; `problem` says why it cannot be run. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly problem?: string;
}

/** Reads a call in any shape of `RunnableCall`. Never throws: what is no call has a problem. */
export function readCall(given: unknown): ReadCall {
  try {
    if (isRecord(given)) return readRecord(given);
  } catch {
    // A getter or a proxy of the caller.
    return { call: newCall('', {}), problem: 'not a tool call: reading its properties throws' };
  }
  return notACall(given);
}

function readRecord(given: UnknownRecord): ReadCall {
  const inner = [given['function'], given['custom']].find(isRecord) ?? given;
  const name = inner['name'] ?? given['toolName'];
  if (typeof name !== 'string' || name === '') return notACall(given);
  const { arguments: args, input, args: older } = inner;
  const written = args ?? input ?? older;
  const isFreeText = CUSTOM.has(given['type']) && typeof written === 'string';
  const read = isFreeText ? { value: { input: written } } : readArguments(written);
  const id = [given['call_id'], given['toolCallId'], given['id']].find(isName) ?? callId();
  const { format, repairs, argumentsText, complete, lossy } = given;
  const about = {
    id,
    ...(typeof format === 'string' && { format }),
    ...(typeof argumentsText === 'string' && { argumentsText }),
  };
  if (read === undefined) {
    const received = showValue(written as JsonValue);
    const problem = `its arguments cannot be read: expected an object or its JSON, received ${received}`;
    return { call: newCall(name, about), problem };
  }
  const { value, text, repairs: made = [] } = read;
  const call = newCall(name, {
    ...about,
    arguments: value,
    ...(text !== undefined && { argumentsText: text }),
    repairs: [...(Array.isArray(repairs) ? (repairs as readonly Repair[]) : []), ...made],
    complete: complete !== false && read.complete !== false,
    lossy: lossy === true || read.lossy === true,
  });
  return { call };
}

/** Types of calls whose input is free text. */
const CUSTOM: ReadonlySet<unknown> = new Set(['custom', 'custom_tool_call']);

function newCall(name: string, more: Partial<ToolCall>): ToolCall {
  const empty = { arguments: {}, format: 'native', repairs: [], complete: true, lossy: false };
  return { id: more.id ?? callId(), name, ...empty, ...more };
}

function notACall(given: unknown): ReadCall {
  const expected =
    '{ name, arguments }, a tool call of OpenAI or the AI SDK, or a tool_use block of Anthropic';
  const problem = `not a tool call: expected ${expected}; received ${showValue(given as JsonValue)}`;
  return { call: newCall('', {}), problem };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

interface ReadArguments {
  readonly value: JsonObject;
  readonly text?: string;
  readonly repairs?: readonly Repair[];
  readonly complete?: boolean;
  readonly lossy?: boolean;
}

/** The arguments of a native call. Nothing at all is `{}`, as models write it for tools that take none. */
function readArguments(written: unknown): ReadArguments | undefined {
  if (written === undefined || written === null) return { value: {} };
  if (typeof written === 'string') return written.trim() === '' ? { value: {} } : readJson(written);
  return isRecord(written) ? { value: written as JsonObject } : undefined;
}

function readJson(text: string, outer: readonly Repair[] = []): ReadArguments | undefined {
  const read = parseJson(text);
  if (!read.ok) return undefined;
  const { value, complete, lossy } = read;
  const repairs = [...outer, ...read.repairs];
  if (value === null) return { value: {} };
  if (isRecord(value))
    return { value, ...(read.repairs.length === 0 && { text }), repairs, complete, lossy };
  // Encoded twice: `"{\"a\": 1}"`.
  const isTwice = typeof value === 'string' && outer.length === 0;
  return isTwice ? readJson(value, [...repairs, 'double-encoded']) : undefined;
}
