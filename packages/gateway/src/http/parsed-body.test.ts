import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBody } from './read-body.ts';

/** What `readBody` gives, once `before` has done with the request what a body parser might do. */
async function readAfter(
  before: (request: IncomingMessage) => Promise<unknown>,
  body: string,
  maxBytes = 1_000,
): Promise<string> {
  const limit = { maxBytes, key: 'proxy.maxRequestBytes' };
  const server = createServer((request, response) => {
    void before(request)
      .then(() =>
        readBody({ request, response, limit, onChunk: () => undefined, isContinueSent: false }),
      )
      .then(String, (error: unknown) => String(error))
      .then((text) => response.end(text));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const answer = await fetch(`http://127.0.0.1:${address.port}`, { method: 'POST', body });
  return answer.text();
}

const leave =
  (make: (bytes: Buffer) => unknown) =>
  async (request: IncomingMessage): Promise<void> => {
    Object.assign(request, { body: make(await buffer(request)) });
  };

describe('a body that a parser has read before', () => {
  it.each([
    ['as bytes', (bytes: Buffer) => bytes],
    ['as bytes of another kind', (bytes: Buffer) => new Uint8Array(bytes)],
    ['as text', String],
    ['as what JSON says', (bytes: Buffer) => JSON.parse(String(bytes)) as unknown],
  ])('is taken from where the parser left it, %s', async (_how, make) => {
    expect(await readAfter(leave(make), '{"a":"größe"}')).toBe('{"a":"größe"}');
  });

  it('keeps to the limit', async () => {
    const long = JSON.stringify({ a: 'x'.repeat(100) });

    expect(await readAfter(leave(JSON.parse as never), long, 50)).toContain('the body may have 50');
  });

  it('is refused in words where the parser left nothing', async () => {
    expect(await readAfter((request) => buffer(request), '{}')).toContain(
      'the body was read before it came to Holdfast, and is not in request.body',
    );
  });

  it('is refused in words where somebody is still reading', async () => {
    const begin = async (request: IncomingMessage): Promise<void> => {
      Object.assign(request, { body: {} });
      await new Promise((resolve) => request.once('data', resolve));
      request.pause();
    };

    expect(await readAfter(begin, '{}')).toContain('mount Holdfast before what reads bodies');
  });

  it('is read where what is in its place is of no concern', async () => {
    const mark = (request: IncomingMessage): Promise<unknown> =>
      Promise.resolve(Object.assign(request, { body: {} }));

    expect(await readAfter(mark, '{"a":1}')).toBe('{"a":1}');
  });
});
