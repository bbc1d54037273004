import type { AnswerContext } from '../reading/answer-reader.ts';
import { mendStream } from '../reading/mend-stream.ts';
import type { PieceMender } from '../reading/mend-stream.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { readObject } from './json-fields.ts';
import { encodeEvent } from './wire-event.ts';
import type { WireEvent } from './wire-event.ts';
import { WireEventReader } from './wire-event-reader.ts';
import type { WireProtocol } from './wire-protocol.ts';

/** An answer of a server, with its tool calls mended: streamed or whole, as it says itself. */
export async function mendResponse(
  response: Response,
  protocol: WireProtocol,
  context: AnswerContext,
  options: MendOptions,
): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream')) {
    if (response.body === null) return response;
    const mender = new EventBytes(protocol.openMender(context, options));
    return withBody(response, mendStream(response.body, mender));
  }
  if (!type.includes('json')) return response;
  const text = await response.text();
  const answer = readObject(text);
  const mended = answer && protocol.mend(answer, context, options);
  return withBody(response, mended === answer ? text : JSON.stringify(mended));
}

/** The same answer with another body; what says how the old one was packed goes. */
function withBody(response: Response, body: BodyInit): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding'])
    headers.delete(name);
  return new Response(body, { status, statusText, headers });
}

/** Mends events in the bytes that they are sent as. */
class EventBytes implements PieceMender<Uint8Array<ArrayBuffer>> {
  readonly #mender: PieceMender<WireEvent>;
  readonly #events = new WireEventReader();
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();

  constructor(mender: PieceMender<WireEvent>) {
    this.#mender = mender;
  }

  read(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
    return this.#mend(this.#events.feed(this.#decoder.decode(bytes, { stream: true })));
  }

  end(how: 'over' | 'broken'): Uint8Array<ArrayBuffer>[] {
    const last = [...this.#events.feed(this.#decoder.decode()), ...this.#events.end()];
    return [...this.#mend(last), ...this.#encode(this.#mender.end(how))];
  }

  #mend(events: readonly WireEvent[]): Uint8Array<ArrayBuffer>[] {
    return this.#encode(events.flatMap((event) => this.#mender.read(event)));
  }

  /** In one piece: what came at once is sent on at once. */
  #encode(events: readonly WireEvent[]): Uint8Array<ArrayBuffer>[] {
    if (events.length === 0) return [];
    return [this.#encoder.encode(events.map(encodeEvent).join(''))];
  }
}
