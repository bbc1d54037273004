import { describe, expect, it, vi } from 'vitest';
import { readEventStream } from './read-event-stream.ts';
import type { ReadStreamOptions, StreamedEvent } from './read-event-stream.ts';

const TEXT = [
  'event: hello\ndata: {"a":1}\n\n',
  ': a comment\n\n',
  'id: 7\nevent: turn-ended\ndata: {"b":\ndata: 2}\n\n',
  'data:no space\r\n\r\n',
  'id: 8\n\n',
  'event: half',
].join('');

const EVENTS: readonly StreamedEvent[] = [
  { id: '', type: 'hello', data: '{"a":1}' },
  { id: '7', type: 'turn-ended', data: '{"b":\n2}' },
  { id: '7', type: 'message', data: 'no space' },
];

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

async function readAll(
  text: string,
  size: number,
  options?: ReadStreamOptions,
): Promise<readonly StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  const body = streamOf(new TextEncoder().encode(text), size);
  for await (const event of readEventStream(body, options)) events.push(event);
  return events;
}

describe('an event stream', () => {
  it.each([1, 2, 3, 7, 1000])('is the same in pieces of %i bytes', async (size) => {
    expect(await readAll(TEXT, size)).toEqual(EVENTS);
  });

  it.each([1, 2, 3])('keeps letters whole that are cut into pieces of %i bytes', async (size) => {
    expect(await readAll('data: Größe 🪸\n\n', size)).toEqual([
      { id: '', type: 'message', data: 'Größe 🪸' },
    ]);
  });

  it('tells of comments too, so that one knows that somebody is there', async () => {
    const onChunk = vi.fn();
    await readAll(': nothing to say\n\n', 1000, { onChunk });

    expect(onChunk).toHaveBeenCalledOnce();
  });

  it('gives up a line that does not end', async () => {
    const reading = readAll(`data: ${'x'.repeat(500)}`, 10, { maxLineLength: 100 });

    await expect(reading).rejects.toThrow('too long');
  });

  it('lets go of the stream when nobody listens any more', async () => {
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel,
    });

    for await (const event of readEventStream(body)) {
      expect(event.data).toBe('1');
      break;
    }

    expect(cancel).toHaveBeenCalledOnce();
  });
});
