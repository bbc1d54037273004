import type { Clock, JsonObject } from '@holdfast/core';
import { countOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import type { CallEnded, ObservedEvent, TurnEnded } from './gateway-event.ts';
import { LogHistogram } from './log-histogram.ts';
import { LOOP_RULES } from './loop-rules.ts';
import { UNREAD_CODES } from './unread-codes.ts';
import { TimeRing } from './time-ring.ts';
import type { RingSlot } from './time-ring.ts';

const COUNTS = [
  'turns',
  'turns_failed',
  'turns_refused',
  'calls',
  'calls_failed',
  'calls_refused',
  'repairs',
  'retries',
  'timeouts',
  'advice',
  'loops',
  'unread_calls',
] as const;

type Count = (typeof COUNTS)[number];

/** What was counted in one stretch of time. */
interface Slot {
  readonly counts: Record<Count, number>;
  readonly turns: LogHistogram;
  readonly calls: LogHistogram;
}

const FINE_MS = 10_000;
/** How long what is written to the history is counted for. */
export const TRAFFIC_SLOT_MS = FINE_MS;
const COARSE_MS = 60_000;
const FINE_MINUTES = 15;
export const MOST_MINUTES = 60;

/** How much happened in the last hour, and how long it took. What it keeps does not grow. */
export class Traffic {
  readonly #clock: Clock;
  #startedAt: number;
  readonly #fine = ring(FINE_MS, (FINE_MINUTES * 60_000) / FINE_MS);
  readonly #coarse = ring(COARSE_MS, MOST_MINUTES);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.wallTime();
  }

  take({ at, event }: ObservedEvent): void {
    switch (event.type) {
      case 'turn-ended':
        this.#add(at, (slot) => countTurn(slot, event));
        break;
      case 'call-ended':
        this.#add(at, (slot) => countCall(slot, event));
        break;
      case 'retry-scheduled':
        this.#count(at, 'retries');
        break;
      case 'advice-given':
        this.#count(at, 'advice');
        if (event.rules.some((rule) => LOOP_RULES.has(rule))) this.#count(at, 'loops');
        break;
      case 'call-vetoed':
        this.#count(at, 'loops');
        break;
      default:
        break;
    }
  }

  /** The last minutes, up to an hour: in all, and as a series that is fine for a quarter of an hour. */
  overview(minutes: number): JsonObject {
    const now = this.#clock.wallTime();
    const from = minutes <= FINE_MINUTES ? this.#fine : this.#coarse;
    const slots = from.last(Math.ceil((minutes * 60_000) / from.slotMs), now);
    const all = makeSlot();
    for (const { value } of slots) addUp(all, value);
    const since = Math.max(slots[0]?.at ?? now, this.#startedAt);
    return {
      since: new Date(since).toISOString(),
      slot_seconds: from.slotMs / 1000,
      totals: { ...all.counts },
      latency_ms: { turns: percentiles(all.turns), calls: percentiles(all.calls) },
      series: slots.map(point),
    };
  }

  /** What was counted in the slots that begin from then until then, as far as something was. */
  slots(from: number, to: number): readonly JsonObject[] {
    const { length } = this.#fine;
    const known = this.#fine.last(length, this.#clock.wallTime());
    return known
      .filter(({ at }) => at + FINE_MS > from && at < to)
      .flatMap(({ at, value: { counts, turns, calls } }) => {
        const counted = Object.entries(counts).filter(([, times]) => times > 0);
        if (counted.length === 0) return [];
        const slot = new Date(at).toISOString();
        const times = { turn_times: turns.toPairs(), call_times: calls.toPairs() };
        return [{ slot, counts: Object.fromEntries(counted), ...times }];
      });
  }

  /** Adds what `slots` gave before a restart. What is too old, or no such thing, is left out. */
  restore({ slot, counts, turn_times: turns, call_times: calls }: JsonObject): void {
    const at = Date.parse(textOf(slot));
    const age = this.#clock.wallTime() - at;
    if (!(age >= 0) || age >= MOST_MINUTES * COARSE_MS) return;
    this.#startedAt = Math.min(this.#startedAt, at);
    for (const each of [this.#fine, this.#coarse]) {
      // An older one would take the place of one that is counted now.
      if (!each.holds(at, this.#clock.wallTime())) continue;
      const value = each.at(at);
      for (const name of COUNTS) value.counts[name] += countOf(objectOf(counts)[name]) ?? 0;
      value.turns.addPairs(turns);
      value.calls.addPairs(calls);
    }
  }

  #count(at: number, name: Count): void {
    this.#add(at, ({ counts }) => {
      counts[name]++;
    });
  }

  #add(at: number, add: (slot: Slot) => void): void {
    add(this.#fine.at(at));
    add(this.#coarse.at(at));
  }
}

function countTurn({ counts, turns }: Slot, turn: TurnEnded): void {
  const { error, repairs, attempts, advice, issues, isAborted, durationMs } = turn;
  counts.turns++;
  counts.repairs += repairs.length;
  counts.retries += Math.max(0, attempts - 1);
  // An upstream was not asked: its circuit is open.
  if (error?.kind === 'overloaded' && attempts === 0) counts.turns_refused++;
  else if (error !== undefined) counts.turns_failed++;
  if (error?.kind === 'timeout') counts.timeouts++;
  if (advice.length > 0) counts.advice++;
  if (advice.some((rule) => LOOP_RULES.has(rule))) counts.loops++;
  for (const { code } of issues) if (UNREAD_CODES.has(code)) counts.unread_calls++;
  // How long somebody waited who went away says nothing of the model.
  if (!isAborted && !(attempts === 0 && error !== undefined)) turns.add(durationMs);
}

function countCall({ counts, calls }: Slot, call: CallEnded): void {
  counts.calls++;
  counts.repairs += call.repairs.length;
  if (call.outcome === 'failed') counts.calls_failed++;
  if (call.outcome === 'refused') counts.calls_refused++;
  else if (call.durationMs !== undefined) calls.add(call.durationMs);
  if (call.class === 'timeout') counts.timeouts++;
}

function ring(slotMs: number, slots: number): TimeRing<Slot> {
  return new TimeRing({ slotMs, slots, make: makeSlot, clear: clearSlot });
}

function makeSlot(): Slot {
  return { counts: noCounts(), turns: new LogHistogram(), calls: new LogHistogram() };
}

function clearSlot({ counts, turns, calls }: Slot): void {
  for (const name of COUNTS) counts[name] = 0;
  turns.clear();
  calls.clear();
}

function addUp(all: Slot, { counts, turns, calls }: Slot): void {
  for (const name of COUNTS) all.counts[name] += counts[name];
  if (turns.total > 0) all.turns.addAll(turns);
  if (calls.total > 0) all.calls.addAll(calls);
}

function noCounts(): Record<Count, number> {
  return {
    turns: 0,
    turns_failed: 0,
    turns_refused: 0,
    calls: 0,
    calls_failed: 0,
    calls_refused: 0,
    repairs: 0,
    retries: 0,
    timeouts: 0,
    advice: 0,
    loops: 0,
    unread_calls: 0,
  };
}

function percentiles(times: LogHistogram): JsonObject {
  return { p50: times.percentile(0.5), p95: times.percentile(0.95), p99: times.percentile(0.99) };
}

function point({ at, value: { counts, turns, calls } }: RingSlot<Slot>): JsonObject {
  return {
    at: new Date(at).toISOString(),
    turns: counts.turns,
    turns_failed: counts.turns_failed,
    turns_refused: counts.turns_refused,
    calls: counts.calls,
    calls_failed: counts.calls_failed,
    calls_refused: counts.calls_refused,
    turn_p50: turns.percentile(0.5),
    turn_p95: turns.percentile(0.95),
    turn_p99: turns.percentile(0.99),
    call_p50: calls.percentile(0.5),
    call_p95: calls.percentile(0.95),
    call_p99: calls.percentile(0.99),
  };
}
