import type { JsonObject } from '@holdfast/core';
import { objectOf, textOf } from '../json/json-fields.ts';
import { sameEvents } from '../turn/same-events.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import type { Usage } from '../turn/usage.ts';
import { MessageBlocks } from './message-blocks.ts';
import { MessageContent } from './message-content.ts';
import { identity, stopOf, usageOf } from './message-frame.ts';
import type { MessageEnd, MessageOptions } from './message-frame.ts';

/** The JSON of `messagesAnswer`: the body of the upstream as it came, where nothing was changed. */
export function messagesAnswerText(
  events: readonly TurnEvent[],
  frame: UpstreamFrame,
  options: MessageOptions,
): string {
  const content = new MessageContent();
  const message = messagesAnswer(events, frame, options, content);
  return message === frame.body ? frame.data : content.write(message);
}

/**
 * Makes one whole `message` of all events of a turn: the same content that its stream would have had. A
 * Messages upstream's own body is kept as it is where nothing was changed.
 */
export function messagesAnswer(
  events: readonly TurnEvent[],
  frame: UpstreamFrame,
  options: MessageOptions,
  content: MessageContent = new MessageContent(),
): JsonObject {
  const upstream = frame.body?.['type'] === 'message' ? frame.body : undefined;
  if (upstream !== undefined && sameEvents(events, frame.events) && isSound(upstream))
    return upstream;
  const blocks = new MessageBlocks((event) => content.add(event));
  let start = { id: '', model: '' };
  let finish: MessageEnd['finish'];
  let usage: Usage | undefined;
  for (const event of events) {
    if ('choice' in event && event.choice !== 0) continue;
    if (event.type === 'start') start = event;
    else if (event.type === 'finish') finish = event;
    else if (event.type === 'usage') usage = event.usage;
    else blocks.tell(event);
  }
  blocks.close();
  const end = { finish, usage, calls: blocks.callCount };
  return {
    ...upstream,
    ...identity(start, upstream ?? {}, options),
    content: content.blocks(),
    ...stopOf(end, upstream?.['stop_reason']),
    usage: { input_tokens: 0, ...usageOf(usage, upstream?.['usage'], options) },
  };
}

function isSound({ id, content, stop_reason: reason, usage }: JsonObject): boolean {
  const { input_tokens: input, output_tokens: output } = objectOf(usage);
  const isCounted = typeof input === 'number' && typeof output === 'number';
  return textOf(id) !== '' && Array.isArray(content) && textOf(reason) !== '' && isCounted;
}
