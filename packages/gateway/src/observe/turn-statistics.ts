import type { JsonObject } from '@holdfast/core';
import { BoundedMap } from './bounded-map.ts';
import type { Captures } from './captures.ts';
import { CountsByName } from './counts-by-name.ts';
import { eventJson } from './event-json.ts';
import type { ObservedEvent, TurnEnded } from './gateway-event.ts';
import { Newest } from './newest.ts';
import { UNREAD_CODES } from './unread-codes.ts';

export const MOST_MODELS = 200;
export const MOST_TURNS = 500;
const MOST_UNREAD = 100;
/** More of an answer is looked at as a request. */
const LONGEST_TEXT = 4000;

interface ModelEntry {
  readonly model: string;
  turns: number;
  calls: number;
  unread: number;
  readonly formats: CountsByName;
  readonly repairs: CountsByName;
}

/** An `ObservedEvent` that tells of a turn. */
type ObservedTurn = ObservedEvent & { readonly event: TurnEnded };

interface Unread {
  readonly turn: ObservedTurn;
  readonly code: string;
  readonly message: string;
}

/** The last turns, and how the calls in the answers of each model were read since the gateway runs. */
export class TurnStatistics {
  readonly #captures: Captures;
  readonly #turns = new Newest<ObservedTurn>(MOST_TURNS);
  readonly #unread = new Newest<Unread>(MOST_UNREAD);
  readonly #repairs = new CountsByName();
  readonly #models = new BoundedMap<ModelEntry>({
    max: MOST_MODELS,
    make: makeEntry,
    worth: ({ turns }) => turns,
    fold,
  });

  constructor(captures: Captures) {
    this.#captures = captures;
  }

  take(observed: ObservedEvent): void {
    const { event } = observed;
    if (event.type !== 'turn-ended') return;
    const turn = { ...observed, event };
    this.#turns.add(turn);
    const entry = this.#models.getOrMake(event.model);
    entry.turns++;
    entry.calls += event.calls.length;
    for (const format of event.formats) entry.formats.add(format);
    for (const repair of event.repairs) {
      entry.repairs.add(repair);
      this.#repairs.add(repair);
    }
    for (const { code, message } of event.issues) {
      if (!UNREAD_CODES.has(code)) continue;
      entry.unread++;
      this.#unread.add({ turn, code, message });
    }
  }

  /** Newest first, those before an event. */
  requests(limit: number, before: number): readonly JsonObject[] {
    const found: JsonObject[] = [];
    for (const turn of this.#turns) {
      if (found.length >= limit) break;
      if (turn.seq < before) found.push(this.#turnJson(turn));
    }
    return found;
  }

  /** The newest of that id, with what was said in it where that is kept. */
  request(id: string): JsonObject | undefined {
    for (const turn of this.#turns) {
      if (turn.event.id !== id) continue;
      const capture = this.#captures.of(turn.event) ?? null;
      return { ...this.#turnJson(turn), capture, captured_requests: this.#captures.limit };
    }
    return undefined;
  }

  parsing(): JsonObject {
    const { others } = this.#models;
    const models = [...this.#models.values()].sort((one, other) => other.turns - one.turns);
    return {
      models: [...models, ...(others === undefined ? [] : [others])].map(modelJson),
      repairs: this.#repairs.toJson(),
      unread: [...this.#unread].map(({ turn, code, message }) => ({
        at: new Date(turn.at).toISOString(),
        request_id: turn.event.id,
        model: turn.event.model,
        code,
        message,
        text: this.#captures.textOf(turn.event, LONGEST_TEXT) ?? null,
      })),
    };
  }

  #turnJson(turn: ObservedTurn): JsonObject {
    return { ...eventJson(turn), has_capture: this.#captures.has(turn.event) };
  }
}

function makeEntry(model: string): ModelEntry {
  return {
    model,
    turns: 0,
    calls: 0,
    unread: 0,
    formats: new CountsByName(),
    repairs: new CountsByName(),
  };
}

function fold(gone: ModelEntry, others: ModelEntry): void {
  others.turns += gone.turns;
  others.calls += gone.calls;
  others.unread += gone.unread;
  others.formats.addAll(gone.formats);
  others.repairs.addAll(gone.repairs);
}

function modelJson({ model, turns, calls, formats, repairs, unread }: ModelEntry): JsonObject {
  return { model, turns, calls, formats: formats.toJson(), repairs: repairs.toJson(), unread };
}
