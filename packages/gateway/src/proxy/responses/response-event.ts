import type { JsonObject } from '@holdfast/core';

/** What is sent in a stream of responses: every event says its own name. Its number is given when it is sent. */
export type ResponseEvent = JsonObject & { readonly type: string };

/** An event as it is sent; `sequenceNumber` counts the events of a stream from 0. */
export function writeResponseEvent(event: ResponseEvent, sequenceNumber: number): string {
  const { type, ...fields } = event;
  const numbered = { type, ...fields, sequence_number: sequenceNumber };
  return `event: ${type}\ndata: ${JSON.stringify(numbered)}\n\n`;
}

/** Several events in a row that tell of the same response, which is JSON already. */
export function writeResponseEvents(
  types: readonly string[],
  json: string,
  firstNumber: number,
): string {
  const events = types.map(
    (type, at) =>
      `event: ${type}\ndata: {"type":"${type}","response":${json},"sequence_number":${firstNumber + at}}\n\n`,
  );
  return events.join('');
}
