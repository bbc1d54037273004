import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGoneError } from './client-gone-error.ts';
import { parsedBody } from './parsed-body.ts';
import { RequestError } from './request-error.ts';

/**
 * The body of a request, at most `maxBytes` of it. One that says it is longer is refused before any of it is
 * read; one that does not say is refused at the first byte too many. Rejects with a `RequestError`, or with a
 * `ClientGoneError` when the client does not finish.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  isContinueSent = false,
): Promise<Buffer> {
  const parsed = parsedBody(request);
  if (parsed !== undefined) {
    if (parsed.length > maxBytes) throw tooLarge(maxBytes, `this one has ${parsed.length}`);
    return parsed;
  }
  const { 'content-length': length, expect } = request.headers;
  if (length !== undefined && Number(length) > maxBytes) {
    throw tooLarge(maxBytes, `this one has ${length}`);
  }
  // The client waits with a long body until it hears that it is wanted.
  if (expect !== undefined && !isContinueSent) response.writeContinue();
  return collect(request, maxBytes);
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed && !request.readableEnded) {
      reject(new ClientGoneError());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      // A stream without a listener must not throw when the client goes away later.
      request.on('error', () => undefined);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      stop();
      request.pause();
      reject(tooLarge(maxBytes, 'this one has more'));
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const onGone = (): void => {
      stop();
      reject(new ClientGoneError());
    };
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

function tooLarge(maxBytes: number, arrived: string): RequestError {
  return new RequestError(413, 'too-large', `the body may have ${maxBytes} bytes, ${arrived}`);
}
