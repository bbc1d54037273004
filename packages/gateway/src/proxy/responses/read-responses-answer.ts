import type { ReadAnswer } from '../client-protocol.ts';
import { isObject } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';
import { readJsonObject } from '../json/read-json-object.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { ItemsReader } from './items-reader.ts';
import { readResponseEnd, readResponseStart } from './response-end.ts';
import { readResponsesError } from './responses-failure.ts';

/** Reads a whole `response` into one frame, with the events that its stream would have had. */
export function readResponsesAnswer(
  data: string,
  { body }: ReadAnswer = { body: readJsonObject(data) },
): UpstreamFrame {
  const fail = (message: string): UpstreamFrame => ({
    events: [{ type: 'error', error: { kind: 'upstream', message } }],
    data,
    body,
  });
  if (body === undefined)
    return fail(`the upstream answered with what is no JSON object: ${quoteText(data)}`);
  const { status, error, output } = body;
  if (status === 'failed' || isObject(error) || (error !== undefined && !Array.isArray(output)))
    return { events: [{ type: 'error', error: readResponsesError(body) }], data, body };
  if (!Array.isArray(output))
    return fail(`the upstream answered with what is no response: ${quoteText(data)}`);
  if (typeof status === 'string' && !ENDS.has(status))
    return fail(
      `the upstream answered with a response that is ${quoteText(status)}, not completed`,
    );
  const items = new ItemsReader();
  const events: UpstreamEvent[] = [readResponseStart(body), ...items.readOutput(output)];
  events.push(...readResponseEnd(body, items.hasCalls));
  return { events, data, body };
}

const ENDS: ReadonlySet<string> = new Set(['completed', 'incomplete']);
