/** One server-sent event. */
export interface StreamedEvent {
  /** The last id that was told; '' before the first. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

export interface ReadStreamOptions {
  /** Told of everything that comes, comments too. */
  readonly onChunk?: () => void;
  readonly maxLineLength?: number;
}

/**
 * Reads server-sent events as they come. `EventSource` would do it, but it cannot send the token. A line that
 * never ends cannot fill the memory: what is past `maxLineLength` ends the stream.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  { onChunk, maxLineLength = 4_000_000 }: ReadStreamOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let id = '';
  let type = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk?.();
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > maxLineLength) throw new RangeError('an event is too long');
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0)
            yield { id, type: type === '' ? 'message' : type, data: data.join('\n') };
          type = '';
          data = [];
          continue;
        }
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const given = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
        if (field === 'data') data.push(given);
        else if (field === 'event') type = given;
        else if (field === 'id' && !given.includes('\0')) id = given;
      }
    }
  } finally {
    // Whoever stops listening no longer wants the rest.
    await reader.cancel().catch(() => undefined);
  }
}
