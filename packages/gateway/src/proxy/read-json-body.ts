import { parseExactJson } from '@holdfast/core/check';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { isTooDeeplyNested, MAX_DEPTH } from './json/is-nested-deeper.ts';

/** A body as it came, and what it says. */
export interface JsonBody {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/** The body of a request, read. */
export async function readJsonBody(exchange: HttpExchange, maxBytes: number): Promise<JsonBody> {
  const bytes = await exchange.readBody(maxBytes);
  const text = bytes.toString('utf8');
  if (isTooDeeplyNested(text)) {
    throw new RequestError(
      400,
      'invalid-request',
      `the body is nested deeper than ${MAX_DEPTH} levels`,
    );
  }
  try {
    return { bytes, value: parseExactJson(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    const what = text === '' ? 'the body is empty' : `the body is no JSON: ${why}`;
    throw new RequestError(400, 'invalid-request', `${what}; a JSON object was expected`);
  }
}
