import { parseExactJson } from '@holdfast/core/check';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import {
  BYTES_PER_VALUE,
  jsonExcess,
  MAX_DEPTH,
  maxValuesOf,
} from '../../proxy/json/json-meter.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import { isId, isMessage } from '../is-message.ts';
import { INTERNAL_ERROR } from '../protocol-fault.ts';

/** A line read as a message of JSON-RPC, or why it is none. */
export type ReadMessage =
  { readonly message: JSONRPCMessage; readonly problem?: undefined } | { readonly problem: string };

/** Reads a line, of which there may be so many bytes. */
export function readMessage(line: string, maxBytes: number): ReadMessage {
  const excess = jsonExcess(line, maxBytes);
  if (excess === 'depth') return refused(line, `nested deeper than ${MAX_DEPTH} levels`);
  if (excess === 'values') {
    const limit = `mcp.maxMessageBytes, one for ${BYTES_PER_VALUE} bytes`;
    return refused(line, `of more than ${maxValuesOf(maxBytes)} JSON values (${limit})`);
  }
  let value: unknown;
  try {
    value = parseExactJson(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
  } catch {
    return { problem: 'not JSON' };
  }
  if (isMessage(value)) return { message: value };
  return unreadableAnswer(value) ?? { problem: 'no message of JSON-RPC 2.0' };
}

const BYTE_ORDER_MARK = 0xfeff;

/** The id of what is not parsed, where it stands as servers write it: before the result, or behind it. */
const ID_BEFORE = /^\{"jsonrpc":"2\.0","id":("[^"\\]{1,200}"|\d{1,16}),"(?:result|error)":/;
const ID_BEHIND = /,"jsonrpc":"2\.0","id":("[^"\\]{1,200}"|\d{1,16})\}$/;
/** No longer than what either of them takes. */
const MOST_OF_LINE = 300;

function refused(line: string, problem: string): ReadMessage {
  const isResult = /^\{"(?:result|error)":/.test(line);
  const found =
    ID_BEFORE.exec(line.slice(0, MOST_OF_LINE)) ??
    (isResult ? ID_BEHIND.exec(line.slice(-MOST_OF_LINE).trimEnd()) : null);
  if (found === null) return { problem };
  const id = JSON.parse(found[1] ?? '') as string | number;
  return answerOf(id, `it is ${problem}`);
}

/** Whoever asked would wait until the time is up for an answer that came and was thrown away. */
function unreadableAnswer(value: unknown): ReadMessage | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0' || 'method' in value) return undefined;
  const { id, result } = value;
  if (!isId(id) || !('result' in value || 'error' in value)) return undefined;
  const what =
    result === undefined
      ? 'an error needs a whole number as its code and text as its message'
      : 'a result has to be an object';
  return answerOf(id, what);
}

function answerOf(id: string | number, why: string): ReadMessage {
  const error = { code: INTERNAL_ERROR, message: `The answer cannot be read: ${why}` };
  return { message: { jsonrpc: '2.0', id, error } };
}
