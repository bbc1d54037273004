import type { ReadAnswer } from '../client-protocol.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { ChatChoices } from './chat-choices.ts';
import { listOf } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';
import { readChatError } from './read-chat-error.ts';
import { readChatStart } from './read-chat-start.ts';
import { readChatUsage } from './chat-usage.ts';
import { readJsonObject } from '../json/read-json-object.ts';

/** Reads a whole answer of Chat Completions. What cannot be read is an `error` event. */
export function readChatAnswer(
  data: string,
  { body }: ReadAnswer = { body: readJsonObject(data) },
): UpstreamFrame {
  const events: UpstreamEvent[] = [];
  const error = body === undefined ? undefined : readChatError(body);
  if (error !== undefined) {
    events.push({ type: 'error', error });
  } else if (body === undefined || listOf(body['choices']).length === 0) {
    const expected = 'a chat completion with "choices" was expected';
    const message = `the upstream answered ${quoteText(data)}, and ${expected}`;
    events.push({ type: 'error', error: { kind: 'upstream', message } });
  } else {
    const choices = new ChatChoices();
    events.push(readChatStart(body));
    choices.read(body['choices'], events);
    choices.finishAll(events);
    const usage = readChatUsage(body['usage']);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    events.push({ type: 'done' });
  }
  return { events, data, body };
}
