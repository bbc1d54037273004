import type { ReadAnswer } from '../client-protocol.ts';
import { quoteText } from '../json/quote-text.ts';
import { readJsonObject } from '../json/read-json-object.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { MessagesBlockReader } from './messages-block-reader.ts';
import { readMessagesError } from './messages-errors.ts';
import { readMessagesUsage } from './messages-usage.ts';
import { readFinish, readStart, readWholeBlocks } from './read-messages-stream.ts';

/** Reads a whole `message` into one frame, with the events that its stream would have had. */
export function readMessagesAnswer(
  data: string,
  { body }: ReadAnswer = { body: readJsonObject(data) },
): UpstreamFrame {
  if (body === undefined) {
    const message = `the upstream answered with what is no JSON object: ${quoteText(data)}`;
    return { events: [{ type: 'error', error: { kind: 'upstream', message } }], data, body };
  }
  if (body['type'] === 'error' || (body['content'] === undefined && body['error'] !== undefined))
    return { events: [{ type: 'error', error: readMessagesError(body) }], data, body };
  const usage = readMessagesUsage(body['usage']);
  const events: UpstreamEvent[] = [
    readStart(body),
    ...readWholeBlocks(body['content'], new MessagesBlockReader()),
    ...readFinish(body),
  ];
  if (usage !== undefined) events.push({ type: 'usage', usage });
  events.push({ type: 'done' });
  return { events, data, body };
}
