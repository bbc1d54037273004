import type { JsonValue } from '@holdfast/core';
import { tooLarge } from '../http/body-limit.ts';
import type { BodyLimit } from '../http/body-limit.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { BYTES_PER_VALUE, JsonMeter, MAX_DEPTH, maxValuesOf } from './json/json-meter.ts';
import { decodeText, parseJson } from './json/large-json.ts';

/** A body as it came, and what it says. */
export interface JsonBody {
  readonly bytes: Uint8Array;
  readonly value: JsonValue;
}

/** The body of a request, read. What is too long, too deep or has too many values is refused before it is parsed. */
export async function readJsonBody(exchange: HttpExchange, limit: BodyLimit): Promise<JsonBody> {
  const maxValues = maxValuesOf(limit.maxBytes);
  const meter = new JsonMeter(maxValues);
  const bytes = await exchange.readBody(limit, (chunk) => {
    const excess = meter.feed(chunk.toString('latin1'));
    if (excess === 'depth') throw tooDeep();
    if (excess === 'values')
      throw tooLarge(limit, `${maxValues} JSON values, one for ${BYTES_PER_VALUE} bytes`, 'more');
  });
  const text = await decodeText(bytes);
  try {
    return { bytes, value: await parseJson(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    const what = text === '' ? 'the body is empty' : `the body is not valid JSON: ${why}`;
    throw new RequestError(400, 'invalid-request', `${what}; a JSON object was expected`);
  }
}

function tooDeep(): RequestError {
  const message = `the body is nested deeper than ${MAX_DEPTH} levels`;
  return new RequestError(400, 'invalid-request', message);
}
