import { StringDecoder } from 'node:string_decoder';
import type { BodyLimit } from '../http/body-limit.ts';
import { RequestError } from '../http/request-error.ts';
import type { ReadAnswer } from './client-protocol.ts';
import { BYTES_PER_VALUE, JsonMeter, maxValuesOf } from './json/json-meter.ts';
import { DEEPEST, toJsonObject } from './json/read-json-object.ts';
import { parseJson } from './json/large-json.ts';
import { responseTooLarge } from './response-limit.ts';
import type { OpenAnswer } from './upstream/open-answer.ts';

/** A response that is no stream, as it came and as it was read. */
export interface WholeAnswer extends ReadAnswer {
  readonly text: string;
}

/** Reads a response that is no stream. What is too long, too deep or has too many values is not parsed. */
export async function readWholeAnswer(answer: OpenAnswer, limit: BodyLimit): Promise<WholeAnswer> {
  const { maxBytes } = limit;
  const maxValues = maxValuesOf(maxBytes);
  const meter = new JsonMeter(maxValues, DEEPEST);
  const decoder = new StringDecoder('utf8');
  let length = Number(answer.headers['content-length'] ?? 0);
  if (length > maxBytes) throw responseTooLarge(limit, `${maxBytes} bytes`);
  length = 0;
  let text = '';
  for await (const chunk of answer) {
    length += chunk.length;
    if (length > maxBytes) throw responseTooLarge(limit, `${maxBytes} bytes`);
    const part = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const excess = meter.feed(part);
    if (excess === 'depth') throw tooDeep();
    if (excess === 'values')
      throw responseTooLarge(limit, `${maxValues} JSON values, one for ${BYTES_PER_VALUE} bytes`);
    text += part;
  }
  text += decoder.end();
  try {
    return { text, body: toJsonObject(text, await parseJson(text)) };
  } catch {
    return { text, body: undefined };
  }
}

function tooDeep(): RequestError {
  const message = `the response of the upstream is nested deeper than ${DEEPEST} levels`;
  return new RequestError(502, 'upstream', message);
}
