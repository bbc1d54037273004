import { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { NotSentError } from '../call/not-sent-error.ts';
import { LineWriter } from './line-writer.ts';

const note = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: text });
const line = (text: string): string => `{"jsonrpc":"2.0","method":"${text}"}\n`;

/** A stream whose writes are done when the test says so. */
function scriptedStream(): {
  readonly stream: Writable;
  readonly writes: string[];
  readonly done: (error?: Error) => void;
  readonly isEnded: () => boolean;
} {
  const writes: string[] = [];
  let callback: ((error?: Error) => void) | undefined;
  let isEnded = false;
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, next) => {
      writes.push(chunk);
      callback = next;
    },
    final: (next) => {
      isEnded = true;
      next();
    },
  });
  stream.on('error', () => undefined);
  return { stream, writes, done: (error) => callback?.(error), isEnded: () => isEnded };
}

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('messages', () => {
  test('of one tick go out with one write', async () => {
    const { stream, writes, done } = scriptedStream();
    const writer = new LineWriter(stream, 1000);
    const sent = Promise.all([writer.send(note('a')), writer.send(note('b'))]);
    await soon();
    expect(writes).toEqual([line('a') + line('b')]);
    done();
    await sent;
  });

  test('that come during a write go out with the next one', async () => {
    const { stream, writes, done } = scriptedStream();
    const writer = new LineWriter(stream, 1000);
    const first = writer.send(note('a'));
    await soon();
    const others = [writer.send(note('b')), writer.send(note('c'))];
    await soon();
    expect(writes).toEqual([line('a')]);
    done();
    await first;
    await soon();
    expect(writes).toEqual([line('a'), line('b') + line('c')]);
    done();
    await Promise.all(others);
  });

  test('that wait when the writer closes were not sent, the one under way may have been', async () => {
    const { stream, done } = scriptedStream();
    const writer = new LineWriter(stream, 100_000);
    const long = writer.send(note('x'.repeat(5000)));
    await soon();
    const waiting = writer.send(note('b'));
    writer.close('The server is gone');
    await expect(waiting).rejects.toThrow(new NotSentError('The server is gone'));
    await expect(writer.send(note('c'))).rejects.toThrow(NotSentError);
    done(new Error('EPIPE'));
    await expect(long).rejects.toThrow('EPIPE');
    await expect(long).rejects.not.toThrow(NotSentError);
  });

  test('that are short and whose write fails were not sent', async () => {
    const { stream, done } = scriptedStream();
    const sent = new LineWriter(stream, 1000).send(note('a'));
    await soon();
    done(new Error('write EPIPE'));
    await expect(sent).rejects.toThrow(NotSentError);
  });

  test('cannot be sent over a stream that has gone', async () => {
    const { stream } = scriptedStream();
    stream.destroy();
    await expect(new LineWriter(stream, 1000).send(note('a'))).rejects.toThrow(
      new NotSentError('The other side no longer reads'),
    );
  });

  test('that cannot be written as JSON are refused', async () => {
    const { stream } = scriptedStream();
    const message = { jsonrpc: '2.0', method: 'a', params: {} } as const;
    (message.params as Record<string, unknown>)['self'] = message;
    await expect(new LineWriter(stream, 1000).send(message)).rejects.toThrow(NotSentError);
  });

  test('that wait are sent before the stream ends', async () => {
    const { stream, writes, done, isEnded } = scriptedStream();
    const writer = new LineWriter(stream, 1000);
    void writer.send(note('a'));
    await soon();
    void writer.send(note('b'));
    writer.end('closed');
    await expect(writer.send(note('c'))).rejects.toThrow(new NotSentError('closed'));
    done();
    await soon();
    expect(isEnded()).toBe(false);
    done();
    await soon();
    expect(writes).toEqual([line('a'), line('b')]);
    expect(isEnded()).toBe(true);
  });

  test('end the stream at once where nothing waits', async () => {
    const { stream, isEnded } = scriptedStream();
    new LineWriter(stream, 1000).end('closed');
    await soon();
    expect(isEnded()).toBe(true);
  });
});
