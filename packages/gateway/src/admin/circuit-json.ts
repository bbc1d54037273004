import type { JsonObject, JsonValue } from '@holdfast/core';
import type { CircuitSettings, CircuitState, CircuitTransition } from '@holdfast/core/guard';
import type { CircuitTimelines } from '../observe/circuit-timelines.ts';
import { snakeCase } from '../observe/event-json.ts';
import type { CircuitOwner } from '../fleet/isolations.ts';
import type { OwnedCircuit } from './circuit-directory.ts';
import {
  count,
  counts,
  fields,
  flag,
  list,
  number,
  oneOf,
  open,
  orNull,
  said,
  text,
  time,
} from './schema-words.ts';

const STATE = oneOf('closed', 'open', 'half_open');

const TRANSITION = fields({
  at: time,
  from: STATE,
  to: STATE,
  reason: text,
  note: said(orNull(text), 'What the person said who changed it by hand.'),
  replica: said(orNull(text), 'Whose word it followed, where a fleet shares the circuit.'),
});

const COMMON = {
  name: text,
  of: oneOf('proxy', 'mcp', 'sidecar'),
  state: STATE,
  is_isolated: said(flag, 'Somebody opened it by hand.'),
  retry_after_seconds: said(orNull(number), 'Null where it stays open until it is reset.'),
  open_until: orNull(time),
  reason: said(orNull(text), 'Why its state changed last.'),
  note: orNull(text),
  since: said(orNull(time), 'When its state changed last; null where it never did.'),
  window: fields({
    calls: count,
    failures: count,
    slow: said(orNull(count), 'Null where calls may be slow and the circuit does not tell.'),
  }),
  consecutive_failures: count,
  outcomes: {
    type: 'string',
    pattern: '^[sfri]{0,60}$',
    description:
      'What became of the last calls, oldest first: s succeeded, f failed, r was refused, i says nothing about the tool.',
  },
  metrics: said(counts, 'What went through it since it was made.'),
  fleet: orNull(
    fields({
      state: STATE,
      version: number,
      replica: orNull(text),
      calls: count,
      failures: count,
    }),
  ),
} as const;

/** A circuit in the list of all. */
export const CIRCUIT: JsonObject = fields(COMMON);

/** A circuit with how it is set up and what became of it. */
export const WHOLE_CIRCUIT: JsonObject = fields({
  ...COMMON,
  settings: said(open, 'When it opens and how it closes; null switches a rule off.'),
  history: list(TRANSITION),
});

/** How a fleet sees one of its circuits; undefined where it is not shared. */
export type FleetCircuitView = (of: CircuitOwner, name: string) => JsonObject | undefined;

export interface CircuitJsonMeans {
  readonly timelines: CircuitTimelines;
  readonly fleet?: FleetCircuitView;
}

export function circuitJson(
  { of, circuit }: OwnedCircuit,
  { timelines, fleet }: CircuitJsonMeans,
): JsonObject {
  const { state } = circuit;
  const about = circuit.metadata();
  const last = circuit.history.at(-1);
  const { totalCalls, successes, failures, rejections, ignored } = circuit.metrics();
  const isIsolated = state === 'open' && last?.reason === 'isolated';
  return {
    name: circuit.name,
    of,
    state: stateWord(state),
    is_isolated: isIsolated,
    retry_after_seconds: finite(about.circuit_retry_after_seconds),
    open_until: isoTime(about.circuit_open_until),
    reason: last?.reason ?? null,
    note: last?.note ?? null,
    since: last?.at ?? null,
    window: {
      calls: about.circuit_calls_in_window,
      failures: about.circuit_failures_in_window,
      slow: circuit.settings.slowCallMs === Infinity ? 0 : null,
    },
    consecutive_failures: about.circuit_consecutive_failures,
    outcomes: timelines.of(circuit),
    metrics: { total_calls: totalCalls, successes, failures, rejections, ignored },
    fleet: fleet?.(of, circuit.name) ?? null,
  };
}

export function wholeCircuitJson(owned: OwnedCircuit, means: CircuitJsonMeans): JsonObject {
  // First, as an open time that is over is noticed when somebody looks.
  const told = circuitJson(owned, means);
  const { settings, history } = owned.circuit;
  return {
    ...told,
    settings: settingsJson({ ...settings }),
    history: history.map(transitionJson),
  };
}

function settingsJson(settings: Readonly<Record<string, Setting>>): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [snakeCase(name), settingJson(value)]),
  );
}

type Setting = CircuitSettings[keyof CircuitSettings];

function settingJson(value: Setting): JsonValue {
  if (typeof value === 'number') return finite(value);
  return typeof value === 'object' ? { ...value } : value;
}

function transitionJson(transition: CircuitTransition): JsonObject {
  const { at, from, to, reason, note = null, replica = null } = transition;
  return { at, from: stateWord(from), to: stateWord(to), reason, note, replica };
}

export function stateWord(state: CircuitState): string {
  return state === 'half-open' ? 'half_open' : state;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Of seconds since 1970; 0 where it is not open. */
function isoTime(seconds: number): string | null {
  const ms = seconds * 1000;
  return seconds > 0 && ms < LATEST_MS ? new Date(ms).toISOString() : null;
}

/** What a date can tell. */
const LATEST_MS = 8.64e15;
