import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooLarge } from './body-limit.ts';
import type { BodyLimit } from './body-limit.ts';
import { ClientGoneError } from './client-gone-error.ts';
import { parsedBody } from './parsed-body.ts';

export interface BodyToRead {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly limit: BodyLimit;
  /** Gets every part of the body as it arrives. What it throws ends the reading. */
  readonly onChunk: (chunk: Buffer) => void;
  /** Whether a client that asked if its body is wanted was told so. */
  readonly isContinueSent: boolean | undefined;
}

/**
 * The body of a request. One that says it is longer than the limit is refused before any of it is read; one that
 * does not say is refused at the first byte too many. Rejects with a `RequestError`, or with a `ClientGoneError`
 * when the client does not finish.
 */
export async function readBody(body: BodyToRead): Promise<Buffer> {
  const { request, response, limit, onChunk, isContinueSent } = body;
  const parsed = parsedBody(request);
  if (parsed !== undefined) {
    if (parsed.length > limit.maxBytes) throw beyond(limit, String(parsed.length));
    onChunk(parsed);
    return parsed;
  }
  const { 'content-length': length, expect } = request.headers;
  if (length !== undefined && Number(length) > limit.maxBytes) throw beyond(limit, length);
  // The client waits with a long body until it hears that it is wanted.
  if (expect !== undefined && isContinueSent !== true) response.writeContinue();
  return collect(body);
}

function collect({ request, limit, onChunk }: BodyToRead): Promise<Buffer> {
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
      try {
        if (size > limit.maxBytes) throw beyond(limit, 'more');
        onChunk(chunk);
        chunks.push(chunk);
      } catch (error) {
        stop();
        request.pause();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
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

function beyond(limit: BodyLimit, received: string): Error {
  return tooLarge(limit, `${limit.maxBytes} bytes`, received);
}
