import type { Clock } from '@holdfast/core/guard';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type {
  AnswerReader,
  ClientProtocol,
  ClientRequest,
  TurnContext,
  UpstreamSpeech,
} from './client-protocol.ts';
import { readBounded } from './read-bounded.ts';
import { TurnRecord } from './turn-record.ts';
import { TurnResponse } from './turn-response.ts';
import type { TurnWriter } from './turn-writer.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { TurnEvent } from './turn/turn-event.ts';
import type { TurnReader } from './turn/turn-reader.ts';
import type { UpstreamFrame } from './turn/upstream-event.ts';
import { describeFailure } from './upstream/describe-failure.ts';
import { readErrorAnswer } from './upstream/read-error-answer.ts';
import type {
  UpstreamAnswer,
  UpstreamClient,
  UpstreamRequest,
} from './upstream/upstream-client.ts';

/** Everything one turn needs. */
export interface TurnJob {
  readonly exchange: HttpExchange;
  readonly client: ClientProtocol;
  readonly request: ClientRequest;
  readonly upstream: UpstreamClient;
  readonly context: TurnContext;
  readonly speech: UpstreamSpeech;
  readonly asked: UpstreamRequest;
  readonly reader: TurnReader;
  readonly headers: Readonly<Record<string, string>>;
  readonly keepAliveMs: number;
  readonly maxAnswerBytes: number;
  readonly keepsContent: boolean;
  readonly clock: Clock;
}

/** How a turn went. */
export interface TurnResult {
  readonly record: TurnRecord;
  /** What the upstream answered with; undefined where it did not answer. */
  readonly upstreamStatus: number | undefined;
  /** What the client was answered with. */
  readonly status: number;
}

/** Asks the upstream for a turn and tells the client, in its own protocol, what comes. */
export async function relayTurn(job: TurnJob): Promise<TurnResult> {
  return new Relay(job).run();
}

class Relay {
  readonly #job: TurnJob;
  readonly #response: TurnResponse;
  readonly #record: TurnRecord;
  #writer: TurnWriter | undefined;

  constructor(job: TurnJob) {
    this.#job = job;
    this.#response = new TurnResponse(job.exchange, job.headers);
    this.#record = new TurnRecord(job.keepsContent);
  }

  async run(): Promise<TurnResult> {
    const stopKeepAlive = this.#job.request.stream ? this.#keepAlive() : undefined;
    let upstreamStatus: number | undefined;
    try {
      const answer = await this.#job.upstream.ask(this.#job.asked);
      upstreamStatus = answer.statusCode;
      if (upstreamStatus < 200 || upstreamStatus > 299) await this.#refuse(answer);
      else if (this.#job.request.stream) await this.#stream(answer);
      else await this.#tellWhole(answer);
    } catch (error) {
      if (!this.#response.isGone) await this.#breakOff(this.#describe(error));
    } finally {
      stopKeepAlive?.();
    }
    const { statusCode } = this.#job.exchange.response;
    return { record: this.#record, upstreamStatus, status: statusCode };
  }

  // ── streams ───────────────────────────────────────────────────────────────────────────────────

  async #stream(answer: UpstreamAnswer): Promise<void> {
    const { client, request, context, reader, speech } = this.#job;
    const writer = client.createWriter(request, context);
    this.#writer = writer;
    if (isStream(answer)) {
      const frames = speech.createReader();
      for await (const bytes of answer.body as AsyncIterable<Uint8Array>) {
        await this.#pass(frames.feed(bytes), writer);
        if (reader.hasFailed) {
          answer.body.destroy();
          break;
        }
      }
      await this.#pass(frames.end(), writer);
    } else {
      // Asked for a stream, some servers answer whole. What came is then no event of a stream.
      const frame = await this.#readWhole(answer);
      await this.#write(reader.read(frame.events), NO_FRAME, writer);
    }
    await this.#finishStream(reader.end(), writer);
  }

  async #pass(frames: readonly UpstreamFrame[], writer: TurnWriter): Promise<void> {
    let text = '';
    for (const frame of frames) {
      const events = this.#job.reader.read(frame.events);
      this.#record.add(events);
      if (this.#sendsError(events, text)) return;
      text += writer.write(events, frame);
    }
    await this.#response.write(text);
  }

  async #write(
    events: readonly TurnEvent[],
    frame: UpstreamFrame,
    writer: TurnWriter,
  ): Promise<void> {
    this.#record.add(events);
    if (!this.#sendsError(events, '')) await this.#response.write(writer.write(events, frame));
  }

  async #finishStream(events: readonly TurnEvent[], writer: TurnWriter): Promise<void> {
    if (this.#response.isEnded()) return;
    await this.#write(events, NO_FRAME, writer);
    if (this.#response.isEnded()) return;
    await this.#response.write(writer.end());
    await this.#response.end(this.#noteHeaders());
  }

  /** While nothing was sent, a turn that fails is an HTTP error, which clients know best how to treat. */
  #sendsError(events: readonly TurnEvent[], pending: string): boolean {
    if (this.#response.hasBegun || pending !== '') return false;
    const failure = events.find((event) => event.type === 'error');
    if (failure?.type !== 'error' || events.some(isContent)) return false;
    this.#sendError(failure.error);
    return true;
  }

  /** The upstream failed in the middle: what was held back is told, then the error. */
  async #breakOff(error: TurnError): Promise<void> {
    const { client, request, context, reader } = this.#job;
    const events = reader.end(error);
    if (!this.#response.hasBegun) {
      this.#record.add(events);
      this.#sendError(error);
      return;
    }
    await this.#finishStream(events, this.#writer ?? client.createWriter(request, context));
  }

  // ── whole answers ─────────────────────────────────────────────────────────────────────────────

  async #tellWhole(answer: UpstreamAnswer): Promise<void> {
    const { client, request, context, reader, speech } = this.#job;
    const frame = isStream(answer)
      ? await this.#collect(answer, speech.createReader())
      : await this.#readWhole(answer);
    const events = [...reader.read(frame.events), ...reader.end()];
    this.#record.add(events);
    const { error } = this.#record;
    if (error !== undefined) this.#sendError(error);
    else {
      const body = client.answer(events, frame, request, context);
      this.#response.send(200, body, this.#noteHeaders());
    }
  }

  async #readWhole(answer: UpstreamAnswer): Promise<UpstreamFrame> {
    const text = await readBounded(answer.body, this.#job.maxAnswerBytes);
    return this.#job.speech.readAnswer(text);
  }

  /** Not asked for a stream, some servers answer with one. */
  async #collect(answer: UpstreamAnswer, frames: AnswerReader): Promise<UpstreamFrame> {
    const all: UpstreamFrame[] = [];
    for await (const bytes of answer.body as AsyncIterable<Uint8Array>)
      all.push(...frames.feed(bytes));
    all.push(...frames.end());
    return { ...NO_FRAME, events: all.flatMap(({ events }) => events) };
  }

  // ── errors ────────────────────────────────────────────────────────────────────────────────────

  async #refuse(answer: UpstreamAnswer): Promise<void> {
    const { upstream, clock } = this.#job;
    const retryAfter = answer.headers['retry-after'];
    const error = readErrorAnswer({
      upstream: upstream.config.name,
      status: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: await readBounded(answer.body, LONGEST_ERROR, 'cut'),
      wallTime: clock.wallTime(),
    });
    this.#record.add([{ type: 'error', error }]);
    this.#sendError(error);
  }

  #sendError(error: TurnError): void {
    const { client, exchange } = this.#job;
    const { status, body, headers } = client.error(error, exchange.id);
    this.#response.send(status, JSON.stringify(body), headers);
  }

  #describe(error: unknown): TurnError {
    const { exchange, upstream } = this.#job;
    const { reason } = exchange.signal as { readonly reason: unknown };
    if (reason instanceof RequestError) return { kind: reason.kind, message: reason.message };
    return describeFailure(error, upstream.config.name, upstream.config.url);
  }

  /** What is known only when the turn is over. */
  #noteHeaders(): Record<string, string> {
    const { formats, repairs, callCount } = this.#job.reader.notes;
    return {
      'x-holdfast-calls': String(callCount),
      ...(formats.size > 0 && { 'x-holdfast-format': [...formats].join(', ') }),
      ...(repairs.size > 0 && { 'x-holdfast-repairs': [...repairs].join(', ') }),
    };
  }

  /** Tells a client that waits that there is still somebody, so that nothing between gives it up. */
  #keepAlive(): () => void {
    const { clock, keepAliveMs, client } = this.#job;
    let cancel: (() => void) | undefined;
    const wait = (): void => {
      this.#response.hasWritten = false;
      cancel = clock.setTimer(tick, keepAliveMs, true);
    };
    const tick = (): void => {
      if (!this.#response.hasWritten && !this.#response.isEnded())
        this.#response.write(client.keepAlive).catch(() => undefined);
      wait();
    };
    wait();
    return () => cancel?.();
  }
}

function isStream({ headers }: UpstreamAnswer): boolean {
  return String(headers['content-type'] ?? '').includes('text/event-stream');
}

function isContent({ type }: TurnEvent): boolean {
  return type !== 'error' && type !== 'start' && type !== 'usage';
}

/** For events that no event of a client's protocol brought. */
const NO_FRAME: UpstreamFrame = { events: [], data: '', body: undefined };
const LONGEST_ERROR = 65_536;
