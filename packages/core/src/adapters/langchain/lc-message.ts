import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { isFunction } from '../guarding/call-function.ts';

/** A message of LangChain, of any version: what it is comes from methods, what it says from fields. */
export type LcMessage = UnknownRecord;

/** `human`, `ai`, `tool`, …; '' for what is no message. */
export function typeOf(message: LcMessage): string {
  for (const name of ['getType', '_getType']) {
    const method = message[name];
    if (isFunction(method)) return String(Reflect.apply(method, message, []));
  }
  const { type } = message;
  return typeof type === 'string' ? type : '';
}

/** Whether a message was put together from a stream, or is a piece of one. */
export function isMadeOfChunks(message: LcMessage): boolean {
  return Array.isArray(message['tool_call_chunks']);
}

/** What messages are made of, in every version. */
const FIELDS = [
  'content',
  'additional_kwargs',
  'response_metadata',
  'id',
  'name',
  'tool_calls',
  'invalid_tool_calls',
  'tool_call_chunks',
  'usage_metadata',
  'tool_call_id',
  'status',
  'artifact',
  'metadata',
] as const;

type Fields = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

/** A message of the same class with other fields; the classes are those of the caller's own LangChain. */
export function remake(message: LcMessage, changes: Fields): LcMessage {
  const known = FIELDS.filter((name) => message[name] !== undefined);
  const fields = Object.fromEntries(known.map((name) => [name, message[name]]));
  return construct(message, { ...fields, ...changes });
}

/** Another object of the same class. */
export function construct(like: object, fields: object): UnknownRecord {
  const { constructor: made } = like;
  return Reflect.construct(made as new (given: object) => UnknownRecord, [fields]);
}
