import type { JsonObject, JsonValue } from '@holdfast/core';
import type { TurnWriter } from '../turn-writer.ts';
import type { TurnError } from '../turn/turn-error.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import type { CallShape } from './call-shape.ts';
import { partOf } from './chat-choices.ts';
import { chatDelta } from './chat-delta.ts';
import type { ChoiceEvent } from './chat-delta.ts';
import { ChatEnvelope } from './chat-envelope.ts';
import type { ChatIdentity } from './chat-envelope.ts';
import { chatErrorBody } from './chat-errors.ts';
import { chatUsage } from './chat-usage.ts';
import { isRightChunk } from './is-right-chunk.ts';
import { countOf, isObject, listOf, textOf } from '../json/json-fields.ts';
import { sameEvents } from '../turn/same-events.ts';
import { ToldChoice } from './told-choice.ts';

/** A choice of a chunk that is being made. */
interface Draft {
  readonly choice: number;
  readonly delta: JsonObject;
  readonly finish: string | null;
}

/** Writes a turn as a stream of Chat Completions, over an upstream that speaks it too. */
export class ChatWriter implements TurnWriter {
  readonly #envelope: ChatEnvelope;
  readonly #shape: CallShape;
  readonly #told = new Map<number, ToldChoice>();
  /** Usage that came with nothing to tell, or before the finish that it has to follow. */
  #usage: JsonValue | undefined;
  #isOver = false;

  /** `fallback` stands in for what the upstream does not say of itself. */
  constructor(fallback: ChatIdentity, shape: CallShape = 'tool_calls') {
    this.#shape = shape;
    this.#envelope = new ChatEnvelope(fallback);
  }

  write(events: readonly TurnEvent[], frame: UpstreamFrame): string {
    if (this.#isOver) return '';
    const { body } = frame;
    const [first] = events;
    if (first?.type === 'start') this.#envelope.begin(first);
    if (body === undefined) return this.#make(events, frame);
    this.#envelope.adopt(body);
    const canPass = sameEvents(events, frame.events) && this.#isRight(events, body);
    return canPass ? this.#pass(events, frame) : this.#make(events, frame);
  }

  end(): string {
    if (this.#isOver) return '';
    return this.#areAllFinished() ? this.#done() : this.#fail(chatErrorBody(ENDED_EARLY));
  }

  // ── as it came ────────────────────────────────────────────────────────────────────────────────

  #isRight(events: readonly TurnEvent[], body: JsonObject): boolean {
    const choices = body['choices'];
    if (!Array.isArray(choices)) return false;
    // Some services send what their filters found before anything else, and before they have an id.
    if (choices.length === 0 && !isObject(body['usage'])) return true;
    if (!this.#envelope.fits(body)) return false;
    if (choices.length === 0) return this.#areAllFinished();
    const words = new Map<number, string>();
    for (const event of events) {
      if (event.type === 'finish')
        words.set(event.choice, this.#toldOf(event.choice).wordFor(event.reason));
    }
    const isLate = listOf(choices).some((choice) => this.#isFinished(choice));
    return !isLate && isRightChunk(body, words);
  }

  #pass(events: readonly TurnEvent[], frame: UpstreamFrame): string {
    const missing: Draft[] = [];
    for (const [choice, said] of choicesIn(frame)) {
      if (hasRole(said)) this.#toldOf(choice).hasRole = true;
      else this.#addRole(choice, missing);
    }
    for (const event of events)
      if (event.type === 'finish') this.#toldOf(event.choice).isFinished = true;
    const roles = missing.map((draft) => this.#chunk(draft)).join('');
    return `${roles}data: ${frame.data.replaceAll('\n', '\ndata: ')}\n\n`;
  }

  // ── made anew ─────────────────────────────────────────────────────────────────────────────────

  #make(events: readonly TurnEvent[], frame: UpstreamFrame): string {
    const drafts: Draft[] = [];
    for (const [choice, said] of choicesIn(frame)) if (hasRole(said)) this.#addRole(choice, drafts);
    let usage: JsonValue | undefined;
    let error: JsonObject | undefined;
    let isDone = false;
    for (const event of events) {
      if (event.type === 'usage') usage = frame.body?.['usage'] ?? chatUsage(event.usage);
      else if (event.type === 'error') error = errorBody(event, frame);
      else if (event.type === 'done') isDone = true;
      else if ('choice' in event) this.#draft(event, frame, drafts);
    }
    if (isDone) this.#finishAll(frame, drafts);
    if (drafts.length === 0 && usage !== undefined) this.#usage = usage;
    const text = this.#chunks(drafts, frame, usage);
    if (error !== undefined) return text + this.#fail(error);
    return isDone ? text + this.#done() : text;
  }

  #draft(event: ChoiceEvent, frame: UpstreamFrame, drafts: Draft[]): void {
    const { choice } = event;
    const told = this.#toldOf(choice);
    if (told.isFinished) return;
    const delta = chatDelta(event, told, frame);
    if (delta === undefined) return;
    this.#addRole(choice, drafts);
    const finish = event.type === 'finish' ? told.wordFor(event.reason) : null;
    if (finish !== null) told.isFinished = true;
    drafts.push({ choice, delta, finish });
  }

  /** An upstream that says that this is all, and not why, has stopped. */
  #finishAll(frame: UpstreamFrame, drafts: Draft[]): void {
    for (const choice of this.#told.keys())
      this.#draft({ type: 'finish', choice, reason: 'stop' }, frame, drafts);
  }

  #addRole(choice: number, drafts: Draft[]): void {
    const told = this.#toldOf(choice);
    if (told.hasRole) return;
    told.hasRole = true;
    drafts.push({ choice, delta: { role: 'assistant', content: '' }, finish: null });
  }

  /** What else the frame says of a choice, or of the turn, goes with the last chunk it belongs to. */
  #chunks(drafts: readonly Draft[], frame: UpstreamFrame, usage: JsonValue | undefined): string {
    const last = new Map(drafts.map((draft) => [draft.choice, draft]));
    const others = new Map<Draft, JsonObject>();
    for (const [choice, said] of choicesIn(frame)) {
      const draft = last.get(choice);
      if (draft !== undefined) others.set(draft, othersIn(said));
    }
    const usageGoesTo = drafts.at(-1);
    return drafts
      .map((draft) =>
        this.#chunk(draft, others.get(draft), draft === usageGoesTo ? usage : undefined),
      )
      .join('');
  }

  #chunk(draft: Draft, others?: JsonObject, usage?: JsonValue): string {
    const { choice, delta, finish } = draft;
    const made = { ...others, index: choice, delta, finish_reason: finish };
    return dataLine(this.#envelope.around([made], usage));
  }

  #done(): string {
    this.#isOver = true;
    const usage = this.#usage === undefined ? '' : dataLine(this.#envelope.around([], this.#usage));
    return `${usage}data: [DONE]\n\n`;
  }

  /** Clients take the first object with an `error` for the end: nothing follows it. */
  #fail(error: JsonObject): string {
    this.#isOver = true;
    return dataLine(error);
  }

  #areAllFinished(): boolean {
    return [...this.#told.values()].every(({ isFinished }) => isFinished);
  }

  #isFinished(choice: JsonValue): boolean {
    const number = isObject(choice) ? countOf(choice['index']) : undefined;
    return number !== undefined && this.#told.get(number)?.isFinished === true;
  }

  #toldOf(choice: number): ToldChoice {
    let told = this.#told.get(choice);
    if (told === undefined) {
      told = new ToldChoice(this.#shape);
      this.#told.set(choice, told);
    }
    return told;
  }
}

const ENDED_EARLY: TurnError = Object.freeze({
  kind: 'upstream',
  message: 'the upstream ended its answer without a finish reason: the rest of it is missing',
});

/** The choices of a frame, with their numbers. */
function choicesIn(frame: UpstreamFrame): [number, JsonObject][] {
  const found: [number, JsonObject][] = [];
  listOf(frame.body?.['choices']).forEach((said, position) => {
    if (isObject(said)) found.push([countOf(said['index']) ?? position, said]);
  });
  return found;
}

/** The fields of a choice that are not made anew. */
function othersIn(said: JsonObject): JsonObject {
  const { index: _index, delta: _delta, message: _message, finish_reason: _word, ...others } = said;
  return others;
}

function hasRole(said: JsonObject): boolean {
  return textOf(partOf(said)?.['role']) !== '';
}

/** The upstream's own words, where clients can read them. */
function errorBody(event: Extract<TurnEvent, { type: 'error' }>, frame: UpstreamFrame): JsonObject {
  const said = frame.events.some((own) => own === event) ? frame.body?.['error'] : undefined;
  const canPass = isObject(said) && typeof said['message'] === 'string';
  return canPass ? { error: said } : chatErrorBody(event.error);
}

function dataLine(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
