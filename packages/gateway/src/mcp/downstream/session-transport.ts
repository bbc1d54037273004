import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import type {
  JSONRPCMessage,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { objectOf } from '../../proxy/json/json-fields.ts';
import { isId } from '../is-message.ts';
import { EventLog } from './event-log.ts';
import { eventOf, HttpAnswer } from './http-answer.ts';
import { invalid, readPosted } from './read-posted.ts';
import type { Posted, PostedProblem } from './read-posted.ts';
import { refuse } from './refuse.ts';

/** The requests of one POST, and where their answers go. */
interface Asked {
  readonly stream: string;
  readonly left: Set<RequestId>;
  /** Whether the client can come back for what it missed, which JSON would take from it. */
  readonly isResumable: boolean;
  /** None while the client is away. */
  answer: HttpAnswer | undefined;
}

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';
/** The stream of what belongs to no request. */
const NEWS = 'news';
/** After which a client whose stream broke comes back for the rest. */
const RETRY_MS = 1000;
/** The first revision whose clients take an event without data, which tells them where a stream begins. */
const TAKES_EMPTY_EVENTS = '2025-11-25';
/** What a client speaks that does not say. */
const DEFAULT_VERSION = '2025-03-26';

/** Speaks MCP with one legacy client over Streamable HTTP. */
export class SessionTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly sessionId: string;
  readonly #clock: Clock;
  readonly #headers: OutgoingHttpHeaders;
  readonly #log = new EventLog();
  readonly #asked = new Map<RequestId, Asked>();
  #versions: readonly string[] = [];
  #news: HttpAnswer | undefined;
  #nextStream = 1;
  #isBegun = false;
  #isClosed = false;

  constructor(sessionId: string, clock: Clock) {
    this.sessionId = sessionId;
    this.#clock = clock;
    this.#headers = { 'mcp-session-id': sessionId };
  }

  /** Whether there was a handshake. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#versions = versions;
  }

  /** Answers a GET or POST of the client. Resolves when the answer is sent, or nobody waits for it. */
  async answer(exchange: HttpExchange, body: unknown): Promise<void> {
    const { method, request, response } = exchange;
    // The client may have gone while the servers started: it asks for nothing any more.
    if (response.closed) return;
    const { accept = '', 'mcp-protocol-version': said } = request.headers;
    const version = typeof said === 'string' ? said.trim() : DEFAULT_VERSION;
    // In a handshake it is the body that says the version, and any may be asked for.
    const isHandshake = objectOf(body)['method'] === 'initialize';
    const wanted = method === 'GET' ? [EVENTS] : [JSON_TYPE, EVENTS];
    if (!wanted.every((type) => accept.includes(type))) {
      refuse(response, 406, `Not Acceptable: Client must accept ${wanted.join(' and ')}`);
    } else if (said !== undefined && !isHandshake && !this.#versions.includes(version)) {
      const supported = `supported versions: ${this.#versions.join(', ')}`;
      refuse(response, 400, `Bad Request: Unsupported protocol version: ${version} (${supported})`);
    } else {
      await (method === 'GET' ? this.#listen(exchange) : this.#take(response, body, version));
    }
  }

  async send(
    message: JSONRPCMessage,
    { relatedRequestId }: TransportSendOptions = {},
  ): Promise<void> {
    const isAnswer = !('method' in message);
    const id = isAnswer ? message.id : relatedRequestId;
    if (id === undefined) {
      const json = writeExactJson(message);
      const event = eventOf(json, this.#log.add(NEWS, json));
      await this.#news?.open().write(event).catch(missed);
      return;
    }
    const asked = this.#asked.get(id);
    if (asked === undefined) throw new Error(`Nobody waits for an answer to request ${id}`);
    const { stream, left, isResumable, answer } = asked;
    if (isAnswer) {
      left.delete(id);
      this.#asked.delete(id);
    }
    const isLast = left.size === 0;
    if (!isResumable && isLast && answer?.isOpen === false) {
      answer.finish(message);
      return;
    }
    // Its beginning is in the log before what follows it.
    const beginning = answer?.beginning() ?? '';
    const json = writeExactJson(message);
    const events = beginning + eventOf(json, this.#log.add(stream, json));
    if (isLast) answer?.end(events);
    else await answer?.open().write(events).catch(missed);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#news?.end();
    for (const { answer } of new Set(this.#asked.values())) answer?.end();
    this.#asked.clear();
    this.onclose?.();
  }

  async #take(response: ServerResponse, body: unknown, version: string): Promise<void> {
    const posted = this.#read(body);
    if (posted.problem !== undefined) {
      refuse(response, 400, posted.problem, posted.code);
      return;
    }
    const { messages, ids } = posted;
    this.#isBegun ||= posted.isHandshake;
    if (ids.size === 0) {
      for (const message of messages) this.#hear(message);
      response.writeHead(202, this.#headers).end();
      return;
    }
    const stream = String(this.#nextStream++);
    const isResumable = version >= TAKES_EMPTY_EVENTS;
    const answer = new HttpAnswer(response, {
      headers: this.#headers,
      clock: this.#clock,
      onOpen: () => (isResumable ? this.#beginning(stream) : ''),
    });
    const asked: Asked = { stream, left: new Set(ids), isResumable, answer };
    for (const id of ids) this.#asked.set(id, asked);
    if (ids.size > 1) answer.open();
    for (const message of messages) this.#hear(message);
    await answer.closed;
    if (asked.answer === answer) asked.answer = undefined;
  }

  #read(body: unknown): Posted | PostedProblem {
    const posted = readPosted(body);
    if (posted.problem !== undefined) return posted;
    if (posted.isHandshake && this.#isBegun) return invalid('Server already initialized');
    const taken = [...posted.ids].find((id) => this.#asked.has(id));
    return taken === undefined ? posted : invalid(`another request with the id ${taken} runs`);
  }

  #hear(message: JSONRPCMessage): void {
    this.onmessage?.(message);
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    // What was taken back is not answered.
    const id = objectOf(message.params)['requestId'];
    const asked = isId(id) ? this.#asked.get(id) : undefined;
    if (asked === undefined || !isId(id)) return;
    asked.left.delete(id);
    this.#asked.delete(id);
    if (asked.left.size === 0) asked.answer?.end();
  }

  /** A client that has got this can come back for the rest. */
  #beginning(stream: string): string {
    return `id: ${this.#log.add(stream, '')}\nretry: ${RETRY_MS}\ndata: \n\n`;
  }

  /** A stream of news, or the rest of one that broke. */
  async #listen({ request, response }: HttpExchange): Promise<void> {
    const last = [request.headers['last-event-id'] ?? []].flat()[0];
    const stream = last === undefined ? NEWS : this.#log.streamOf(last);
    const asked = [...this.#asked.values()].find((each) => each.stream === stream);
    const active = stream === NEWS ? this.#news : asked?.answer;
    if (stream === undefined) {
      refuse(response, 400, 'Invalid event ID format');
      return;
    }
    if (active !== undefined) {
      refuse(response, 409, 'Conflict: the stream already has an active connection');
      return;
    }
    const answer = new HttpAnswer(response, { headers: this.#headers, clock: this.#clock });
    if (stream === NEWS) this.#news = answer;
    else if (asked !== undefined) asked.answer = answer;
    const writer = answer.open();
    for (const [id, json] of last === undefined ? [] : this.#log.after(last)) {
      void writer.write(eventOf(json, id));
    }
    if (stream !== NEWS && asked === undefined) answer.end();
    await answer.closed;
    if (this.#news === answer) this.#news = undefined;
    if (asked?.answer === answer) asked.answer = undefined;
  }
}

/** The client has gone in the middle: it finds what it missed in the log when it comes back. */
function missed(): void {}
