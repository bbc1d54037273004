import { createParser } from 'eventsource-parser';
import type { JsonObject } from '@holdfast/core';
import { onTestFinished } from 'vitest';

export interface ReadEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: JsonObject;
}

export interface EventReader {
  /** Resolves with so many events, in the order in which they come. */
  readonly take: (count: number) => Promise<readonly ReadEvent[]>;
  /** Resolves when a comment has come. */
  readonly comment: () => Promise<string>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  readonly cancel: () => void;
}

/** Reads server-sent events as a client does. Ends with the test. */
export async function openEvents(
  url: string,
  init: RequestInit = {},
): Promise<EventReader & { readonly status: number }> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(url, { ...init, signal: controller.signal });
  const events: ReadEvent[] = [];
  const comments: string[] = [];
  let wake = (): void => undefined;
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => {
      events.push({ id, type: event, data: JSON.parse(data) as JsonObject });
      wake();
    },
    onComment: (comment) => {
      comments.push(comment);
      wake();
    },
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? [])
      parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const ended = read().catch(() => undefined);
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return {
    status: response.status,
    ended,
    cancel: () => controller.abort(),
    take: async (count) => {
      await until(() => events.length >= count);
      return events.splice(0, count);
    },
    comment: async () => {
      await until(() => comments.length > 0);
      return comments.shift() ?? '';
    },
  };
}
