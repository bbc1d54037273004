import type { Format, Opening } from '../format.ts';
import { HeadedReader } from './headed-reader.ts';
import type { FindHead } from './headed-reader.ts';
import type { JsonBodyOptions } from './json-body-options.ts';
import { declinesJsonBody, JsonBodyReader } from './json-body-reader.ts';

/** Blocks of JSON behind an opening; with `head`, behind what must follow the opening. */
export function jsonFormat(
  opening: Opening | string,
  options: JsonBodyOptions,
  head?: FindHead,
): Format {
  return {
    openings: [typeof opening === 'string' ? { text: opening } : opening],
    declines: (text, bodyAt) =>
      head === undefined
        ? declinesJsonBody(text, bodyAt, options.endMarker ?? '')
        : head(text, bodyAt) === 'no',
    createReader: (_opening, context) => {
      const reader = new JsonBodyReader(options, context);
      return head === undefined ? reader : new HeadedReader(head, reader);
    },
  };
}
