import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.ts';

/**
 * The body of a request that an app's body parser has read before us, as it left it in `request.body`; undefined
 * where nobody has read any. What was parsed is written as JSON again, so bytes may differ from those that were
 * sent. Throws a `RequestError` where the body is gone.
 */
export function parsedBody(request: IncomingMessage): Buffer | undefined {
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  const body: unknown = 'body' in request ? request.body : undefined;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (typeof body === 'string') return Buffer.from(body);
  // Half of it may be with somebody who still reads.
  if (request.readableEnded && typeof body === 'object' && body !== null)
    return Buffer.from(JSON.stringify(body));
  throw new RequestError(
    500,
    'internal',
    'the body was read before it came to Holdfast, and is not in request.body: ' +
      'mount Holdfast before what reads bodies, or let that leave the body there',
  );
}
