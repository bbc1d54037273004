import type { Clock } from '@holdfast/core/guard';
import type { BodyLimit } from '../http/body-limit.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { redactValue } from '../redact/redactor.ts';
import { unfitAnswer } from './advise/unfit-answer.ts';
import type { ClientProtocol, ClientRequest, TurnContext } from './client-protocol.ts';
import { FairShare, restBefore } from './fair-share.ts';
import { HeldContent } from './held-content.ts';
import { NO_FRAME, readFrame, readTurn, redactErrors } from './read-turn.ts';
import type { ReadTurn } from './read-turn.ts';
import { readWholeAnswer } from './read-whole-answer.ts';
import { SPEECHES } from './speeches.ts';
import type { TurnPlan } from './turn-plan.ts';
import { TurnRecord } from './turn-record.ts';
import { TurnResponse } from './turn-response.ts';
import type { TurnWriter } from './turn-writer.ts';
import { bringsContent } from './turn/brings-content.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { TurnCall, TurnEvent } from './turn/turn-event.ts';
import { TurnNotes } from './turn/turn-notes.ts';
import type { TurnReader } from './turn/turn-reader.ts';
import type { UpstreamFrame } from './turn/upstream-event.ts';
import type { Answered, NotAnswered } from './upstream/ask-upstreams.ts';
import { describeFailure } from './upstream/describe-failure.ts';

/** Everything one turn needs. */
export interface TurnJob {
  readonly exchange: HttpExchange;
  readonly client: ClientProtocol;
  /** What the client asks for. */
  readonly request: ClientRequest;
  readonly context: TurnContext;
  /** Asks for the turn; for another one where the conversation has gone on. `onAsked` is told while it waits. */
  ask(
    onAsked: (plan: TurnPlan) => void,
    conversation?: ClientRequest['body'],
  ): Promise<Answered | NotAnswered>;
  readonly createReader: (plan: TurnPlan) => TurnReader;
  /** What the client is told of how it was asked. */
  headersOf(asked: Answered | NotAnswered): Readonly<Record<string, string>>;
  /** Whether the model is asked once more where a call does not fit. Then nothing is told before all is there. */
  readonly asksAgain: boolean;
  readonly keepAliveMs: number;
  readonly limit: BodyLimit;
  /** How many characters of text are kept for a trace. */
  readonly mostTracedText: number;
  readonly clock: Clock;
}

/** How a turn went. */
export interface TurnResult {
  readonly record: TurnRecord;
  readonly notes: TurnNotes;
  /** What was asked; undefined where nobody could be. */
  readonly plan: TurnPlan | undefined;
  readonly attempts: number;
  readonly wasAskedAgain: boolean;
  /** What the upstream answered with; undefined where it did not answer. */
  readonly upstreamStatus: number | undefined;
  /** What the client was answered with. */
  readonly status: number;
}

/** Asks for a turn and tells the client, in its own protocol, what comes. */
export async function relayTurn(job: TurnJob): Promise<TurnResult> {
  return new Relay(job).run();
}

/** What a stream is read and written with. */
interface Streaming {
  readonly reader: TurnReader;
  readonly writer: TurnWriter;
  readonly held: HeldContent;
}

class Relay {
  readonly #job: TurnJob;
  readonly #response: TurnResponse;
  #record: TurnRecord;
  #asked: Answered | NotAnswered | undefined;
  #notes = new TurnNotes();
  #streaming: Streaming | undefined;
  #wasAskedAgain = false;

  constructor(job: TurnJob) {
    this.#job = job;
    this.#response = new TurnResponse(job.exchange);
    this.#record = new TurnRecord(job.mostTracedText);
  }

  async run(): Promise<TurnResult> {
    const stopKeepAlive = this.#job.request.stream ? this.#keepAlive() : undefined;
    try {
      const asked = await this.#job.ask((plan) => {
        // Made while the upstream thinks, and not when it has answered.
        if (this.#isStreamed) this.#prepare(plan);
      });
      this.#asked = asked;
      this.#response.addHeaders(this.#job.headersOf(asked));
      if (asked.ok) await this.#tell(asked);
      else await this.#breakOff(this.#safe(asked.error));
    } catch (error) {
      if (!this.#response.isGone) await this.#breakOff(this.#describe(error));
    } finally {
      stopKeepAlive?.();
      this.#settle();
    }
    return this.#result();
  }

  async #tell(asked: Answered): Promise<void> {
    const { request } = this.#job;
    if (this.#isStreamed) {
      await this.#stream(asked);
      return;
    }
    const turn = await this.#fitting(await this.#read(asked));
    this.#record = turn.record;
    this.#notes = turn.notes;
    if (request.stream) await this.#tellAsStream(turn);
    else await this.#tellWhole(turn);
  }

  /** Whether the client is told while the upstream tells. */
  get #isStreamed(): boolean {
    return this.#job.request.stream && !this.#job.asksAgain;
  }

  #prepare(plan: TurnPlan): Streaming {
    const { client, request, context, limit, createReader } = this.#job;
    const reader = createReader(plan);
    const writer = this.#streaming?.writer ?? client.createWriter(request, context);
    // The last event of a response repeats all of it.
    const held = new HeldContent(limit, [plan.speaks, client.name].includes('responses'));
    this.#streaming = { reader, writer, held };
    this.#notes = reader.notes;
    return this.#streaming;
  }

  // ── streams ───────────────────────────────────────────────────────────────────────────────────

  async #stream({ plan, answer }: Answered): Promise<void> {
    const streaming = this.#streaming ?? this.#prepare(plan);
    const { reader, writer } = streaming;
    const { limit } = this.#job;
    const speech = SPEECHES[plan.speaks];
    const share = new FairShare();
    if (answer.isStream) {
      const frames = speech.createReader(limit.maxBytes);
      for await (const bytes of answer) {
        share.begin();
        const read = frames.feed(bytes);
        if (read.some(bringsContent)) answer.heard();
        await this.#pass(read, streaming, share);
        if (reader.hasFailed) break;
      }
      share.begin();
      await this.#pass(frames.end(), streaming, share);
    } else {
      // Asked for a stream, some servers answer whole. What came is then no event of a stream.
      const whole = await readWholeAnswer(answer, limit);
      await restBefore(whole.text.length);
      share.begin();
      const told = speech.readAnswer(whole.text, whole);
      const frame = redactErrors(told, this.#job.exchange.redactor.text);
      await this.#write(await readFrame(reader, frame, share), NO_FRAME, writer);
    }
    await this.#finishStream(reader.end(), writer);
  }

  async #pass(
    frames: readonly UpstreamFrame[],
    { reader, writer, held }: Streaming,
    share: FairShare,
  ): Promise<void> {
    let text = '';
    for (const told of frames) {
      const frame = redactErrors(told, this.#job.exchange.redactor.text);
      held.addUpstreamEvents(frame.events);
      if (held.excess !== undefined) {
        await this.#response.write(text);
        throw held.excess;
      }
      const events = await readFrame(reader, frame, share);
      held.addTurnEvents(events);
      this.#record.add(events);
      if (this.#sendsError(events, text)) return;
      text += writer.write(events, frame);
      if (!share.isUsedUp()) continue;
      await this.#response.write(text);
      text = '';
      await share.rest();
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

  /** The turn failed: what was held back is told, then the error. */
  async #breakOff(error: TurnError): Promise<void> {
    const { client, request, context } = this.#job;
    const failure: TurnEvent = { type: 'error', error };
    const events = this.#streaming?.reader.end(error) ?? [failure];
    if (!this.#response.hasBegun) {
      this.#record.add(events);
      this.#sendError(error);
      return;
    }
    await this.#finishStream(
      events,
      this.#streaming?.writer ?? client.createWriter(request, context),
    );
  }

  // ── turns that are read before they are told ──────────────────────────────────────────────────

  async #read(asked: Answered): Promise<ReadTurn> {
    const { plan, answer } = asked;
    const { limit, exchange, createReader } = this.#job;
    const describe = (error: unknown): TurnError => {
      // There is nobody left to be told of a turn.
      if (exchange.signal.aborted) throw error;
      return this.#describe(error);
    };
    try {
      const turn = await readTurn(answer, {
        speech: SPEECHES[plan.speaks],
        reader: createReader(plan),
        limit,
        mask: exchange.redactor.text,
        describe,
      });
      asked.settle(turn.record.error, turn.record);
      return turn;
    } catch (error) {
      asked.release();
      throw error;
    }
  }

  /** The turn, or what the model says when it is told that a call of it does not fit. It is asked once. */
  async #fitting(first: ReadTurn): Promise<ReadTurn> {
    const { client, request, asksAgain } = this.#job;
    if (!asksAgain || first.record.error !== undefined) return first;
    const unfit = unfitAnswer(first.record.text, callsOf(first));
    if (unfit === undefined) return first;
    this.#wasAskedAgain = true;
    const asked = await this.#job.ask(
      () => undefined,
      client.conversation.addUnfitAnswer(request.body, unfit),
    );
    if (!asked.ok) return first;
    const second = await this.#read(asked);
    // An answer that failed or was cut is no better than one that does not fit.
    const isGood = second.record.error === undefined && second.record.finish !== 'length';
    return isGood ? second : first;
  }

  async #tellAsStream({ parts, isStream }: ReadTurn): Promise<void> {
    const { client, request, context } = this.#job;
    const { error } = this.#record;
    if (error !== undefined && !this.#response.hasBegun) {
      this.#sendError(error);
      return;
    }
    const writer = client.createWriter(request, context);
    for (const { events, frame } of parts)
      await this.#response.write(writer.write(events, isStream ? frame : NO_FRAME));
    await this.#response.write(writer.end());
    await this.#response.end(this.#noteHeaders());
  }

  async #tellWhole({ parts }: ReadTurn): Promise<void> {
    const { client, request, context } = this.#job;
    const { error } = this.#record;
    if (error !== undefined) {
      this.#sendError(error);
      return;
    }
    const events = parts.flatMap((part) => part.events);
    const [first, ...others] = parts.filter(({ frame }) => frame !== NO_FRAME);
    const said = parts.flatMap(({ frame }) => frame.events);
    // A whole answer that was put together from a stream has no body of its own.
    const isWhole = first !== undefined && others.length === 0;
    const frame = isWhole ? first.frame : { ...NO_FRAME, events: said };
    const body = await client.answer(events, frame, request, context);
    await restBefore(body.length);
    this.#response.send(200, body, this.#noteHeaders());
  }

  // ── errors, and the rest ──────────────────────────────────────────────────────────────────────

  #sendError(error: TurnError): void {
    const { client, exchange } = this.#job;
    const { status, body, headers } = client.error(error, exchange.id);
    this.#response.send(status, JSON.stringify(body), headers);
  }

  #describe(error: unknown): TurnError {
    const { reason } = this.#job.exchange.signal as { readonly reason: unknown };
    for (const known of [reason, error])
      if (known instanceof RequestError) {
        const { kind, message, details } = known;
        return this.#safe({ kind, message, ...(details !== undefined && { details }) });
      }
    const upstream = this.#asked?.plan?.candidate.upstream.config;
    const { name = 'none', url = 'no address' } = upstream ?? {};
    return this.#safe(describeFailure(error, name, url));
  }

  /** An error as the client may see it. */
  #safe(error: TurnError): TurnError {
    return redactValue(error, this.#job.exchange.redactor.text) as TurnError;
  }

  /** Tells the circuit of the upstream how it went. */
  #settle(): void {
    if (this.#asked?.ok !== true) return;
    if (this.#job.exchange.signal.aborted) this.#asked.release();
    else this.#asked.settle(this.#record.error, this.#record);
  }

  #result(): TurnResult {
    const asked = this.#asked;
    return {
      record: this.#record,
      notes: this.#notes,
      plan: asked?.plan,
      attempts: asked?.attempts ?? 0,
      wasAskedAgain: this.#wasAskedAgain,
      upstreamStatus: asked?.ok === true ? asked.answer.statusCode : asked?.error.status,
      status: this.#job.exchange.response.statusCode,
    };
  }

  /** What is known only when the turn is over. */
  #noteHeaders(): Record<string, string> {
    const { formats, repairs, callCount } = this.#notes;
    return {
      'x-holdfast-calls': String(callCount),
      ...(formats.size > 0 && { 'x-holdfast-format': [...formats].join(', ') }),
      ...(repairs.size > 0 && { 'x-holdfast-repairs': [...repairs].join(', ') }),
      ...(this.#record.usage?.estimated && { 'x-holdfast-usage': 'estimated' }),
      ...(this.#wasAskedAgain && { 'x-holdfast-asked-again': '1' }),
    };
  }

  /**
   * Sends keep-alives so that intermediaries do not time out. A client that reads nothing for too long is given up:
   * what waits for it holds a connection to the upstream.
   */
  #keepAlive(): () => void {
    const { clock, keepAliveMs, client, exchange } = this.#job;
    let cancel: (() => void) | undefined;
    let blockedMs = 0;
    const wait = (): void => {
      this.#response.hasWritten = false;
      cancel = clock.setTimer(tick, keepAliveMs, true);
    };
    const tick = (): void => {
      const { hasWritten, isBlocked } = this.#response;
      blockedMs = isBlocked && !hasWritten ? blockedMs + keepAliveMs : 0;
      if (blockedMs >= LONGEST_UNREAD_MS) {
        exchange.log.info({}, `connection closed: the client read nothing for ${blockedMs} ms`);
        this.#response.destroy();
        return;
      }
      if (!hasWritten && !isBlocked && !this.#response.isEnded())
        this.#response.write(client.keepAlive).catch(() => undefined);
      wait();
    };
    wait();
    return () => cancel?.();
  }
}

/** How long a client may read nothing of a stream. */
const LONGEST_UNREAD_MS = 300_000;

function callsOf({ parts }: ReadTurn): TurnCall[] {
  const events = parts.flatMap((part) => part.events);
  return events.flatMap((event) => (event.type === 'call' ? [event.call] : []));
}

function isContent({ type }: TurnEvent): boolean {
  return type !== 'error' && type !== 'start' && type !== 'usage';
}
