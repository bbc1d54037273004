import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, objectOf, textOf } from '../json/json-fields.ts';
import type { FinishReason } from '../turn/finish-reason.ts';
import type { Usage } from '../turn/usage.ts';
import { writeMessagesUsage } from './messages-usage.ts';
import { stopReasonFor } from './stop-reason.ts';

/** What a message says of itself where its upstream does not. */
export interface MessageOptions {
  /** The model that the client asked for. */
  readonly model: string;
  /** Makes the id of a message, such as `msg_…`. */
  readonly nextMessageId: () => string;
  /** What the input costs by our own estimate, for upstreams that tell it late or never. */
  readonly inputTokens?: number;
  /** Goes with errors. */
  readonly requestId?: string;
}

/** How a turn ended. */
export interface MessageEnd {
  readonly finish: { readonly reason: FinishReason; readonly stopSequence?: string } | undefined;
  readonly usage: Usage | undefined;
  readonly calls: number;
}

/** The message that a stream starts with. `upstream` is the upstream's own, if it speaks Messages. */
export function messageStart(
  start: { readonly id: string; readonly model: string },
  upstream: JsonObject,
  options: MessageOptions,
): JsonObject {
  return {
    ...upstream,
    ...identity(start, upstream, options),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: options.inputTokens ?? 0,
      output_tokens: 0,
      ...toldIn(objectOf(upstream['usage'])),
    },
  };
}

/** Who says the message, and its id: other upstreams' ids look like nothing an Anthropic client knows. */
export function identity(
  { id, model }: { readonly id: string; readonly model: string },
  upstream: JsonObject,
  { nextMessageId, model: asked }: MessageOptions,
): JsonObject {
  const isOurs = id !== '' && (upstream['id'] === id || id.startsWith('msg_'));
  return {
    id: isOurs ? id : nextMessageId(),
    type: 'message',
    role: 'assistant',
    model: model === '' ? asked : model,
  };
}

/** The `delta` and `usage` that a stream ends with. `upstream` is the upstream's own event, if it speaks Messages. */
export function messageEnd(
  end: MessageEnd,
  upstream: JsonObject | undefined,
  options: MessageOptions,
): JsonObject {
  const delta = objectOf(upstream?.['delta']);
  return {
    ...upstream,
    delta: { ...delta, ...stopOf(end, delta['stop_reason']) },
    usage: usageOf(end.usage, upstream?.['usage'], options),
  };
}

/** `stop_reason` and `stop_sequence`. */
export function stopOf({ finish, calls }: MessageEnd, word: JsonValue | undefined): JsonObject {
  const upstreamWord = textOf(word);
  const said = upstreamWord === '' ? undefined : upstreamWord;
  return {
    stop_reason: stopReasonFor(finish?.reason ?? 'stop', calls, said),
    stop_sequence: finish?.stopSequence ?? null,
  };
}

/** What the turn cost, in the upstream's own words where it has them. */
export function usageOf(
  usage: Usage | undefined,
  upstream: JsonValue | undefined,
  { inputTokens = 0 }: MessageOptions,
): JsonObject {
  const known = writeMessagesUsage(usage ?? { inputTokens, outputTokens: 0 });
  if (!isObject(upstream)) return known;
  if (usage?.estimated === true) return { ...known, ...toldIn(upstream) };
  return { ...upstream, output_tokens: known['output_tokens'] ?? 0, ...toldIn(upstream) };
}

/** The fields that say something: null stands for what is not known. */
function toldIn(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}
