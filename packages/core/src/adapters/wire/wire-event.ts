import type { JsonObject } from '../../types.ts';

/** An event of a server that streams its answer. */
export interface WireEvent {
  /** Where the protocol names its events. */
  readonly name?: string;
  readonly data: string;
  /** `data`, read; absent where it is no JSON object. */
  readonly body?: JsonObject;
}

/** An event of our own. */
export function wireEvent(body: JsonObject, name?: string): WireEvent {
  return { data: JSON.stringify(body), body, ...(name !== undefined && { name }) };
}

/** An event as it is sent. */
export function encodeEvent({ name, data }: WireEvent): string {
  const lines = data.replaceAll('\n', '\ndata: ');
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${lines}\n\n`;
}
