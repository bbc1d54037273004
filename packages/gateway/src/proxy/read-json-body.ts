import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';

/** The body of a request, read. */
export async function readJsonBody(exchange: HttpExchange, maxBytes: number): Promise<unknown> {
  const text = (await exchange.readBody(maxBytes)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    const what = text === '' ? 'the body is empty' : `the body is no JSON: ${why}`;
    throw new RequestError(400, 'invalid-request', `${what}; a JSON object was expected`);
  }
}
