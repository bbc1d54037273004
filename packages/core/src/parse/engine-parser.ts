import type { CircuitMachine } from '../internal/circuit-machine.ts';
import type { Format } from './format.ts';
import type { ParseLimits } from './limits.ts';

/** What a parser has done since it was registered. */
export interface ParserCounters {
  /** Openings of it that were found, or texts its `canParse` said yes to. */
  detections: number;
  /** Blocks or texts it read as calls. */
  successes: number;
  /** Detections that turned out to be no call. */
  failures: number;
  /** Times it was left out: over a limit, or failing too often. */
  skipped: number;
  totalMs: number;
  maxMs: number;
}

/** A registered parser as the engine sees it. */
export interface EngineParser {
  readonly name: string;
  /** 0 is tried first. */
  readonly rank: number;
  readonly formats: readonly Format[];
  readonly limits: ParseLimits;
  readonly counters: ParserCounters;
  /** Leaves out a parser that keeps throwing. */
  readonly circuit: CircuitMachine;
}

export function createCounters(): ParserCounters {
  return { detections: 0, successes: 0, failures: 0, skipped: 0, totalMs: 0, maxMs: 0 };
}

export function addTime(counters: ParserCounters, ms: number): void {
  counters.totalMs += ms;
  if (ms > counters.maxMs) counters.maxMs = ms;
}
