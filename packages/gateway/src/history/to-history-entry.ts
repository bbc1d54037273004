import type { JsonObject } from '@holdfast/core';
import type { CallEnded, ObservedEvent, TurnEnded } from '../observe/gateway-event.ts';
import type { HistoryEntry } from './history-record.ts';

const LONGEST_TEXT = 200;
const LONGEST_LIST = 50;

/**
 * What is kept of an event on disk; undefined where nothing is. Each field is named here, so that one that is added
 * to an event does not land on a disk by itself. Texts that could quote a prompt, an argument or a result are left
 * out, those of failures and of advice among them.
 */
export function toHistoryEntry({ source, event }: ObservedEvent): HistoryEntry | undefined {
  switch (event.type) {
    case 'turn-ended':
      return { kind: 'requests', about: { source, ...ofTurn(event) } };
    case 'call-ended':
      if (event.outcome === 'ok') return undefined;
      return { kind: 'failures', about: { source, ...ofFailure(event) } };
    case 'circuit-opened':
      return transition(source, event.circuit, {
        from: event.from.replace('-', '_'),
        to: 'open',
        reason: event.reason,
        failures: event.failures,
        // Until it is reset.
        open_for_ms: Number.isFinite(event.openForMs) ? event.openForMs : null,
        replica: shortOrNull(event.replica),
      });
    case 'circuit-half-opened':
      return transition(source, event.circuit, { from: 'open', to: 'half_open', reason: null });
    case 'circuit-closed': {
      const from = event.reason === 'probe_succeeded' ? 'half_open' : null;
      return transition(source, event.circuit, {
        from,
        to: 'closed',
        reason: event.reason,
        replica: shortOrNull(event.replica),
      });
    }
    default:
      return undefined;
  }
}

function transition(source: string, circuit: string, about: JsonObject): HistoryEntry {
  return { kind: 'transitions', about: { source, circuit: short(circuit), ...about } };
}

function ofTurn(turn: TurnEnded): JsonObject {
  return {
    id: short(turn.id),
    protocol: turn.protocol,
    model: short(turn.model),
    upstream: shortOrNull(turn.upstream),
    status: turn.status,
    is_stream: turn.isStream,
    tools: turn.tools,
    calls: shortList(turn.calls.map(({ name }) => name)),
    formats: shortList(turn.formats),
    repairs: shortList(turn.repairs.map(codeOf)),
    issues: shortList(turn.issues.map(({ code }) => code)),
    normalised: shortList(turn.normalised.map(codeOf)),
    prompted_in: shortOrNull(turn.promptedIn),
    advice: shortList(turn.advice),
    was_asked_again: turn.wasAskedAgain,
    attempts: turn.attempts,
    finish: shortOrNull(turn.finish),
    duration_ms: tenths(turn.durationMs),
    first_byte_ms: tenths(turn.firstByteMs),
    input_tokens: turn.inputTokens ?? null,
    output_tokens: turn.outputTokens ?? null,
    error: shortOrNull(turn.error?.kind),
    is_aborted: turn.isAborted,
  };
}

function ofFailure(call: CallEnded): JsonObject {
  return {
    id: short(call.id),
    server: shortOrNull(call.server),
    tool: short(call.tool),
    outcome: call.outcome,
    class: shortOrNull(call.class),
    failure_type: shortOrNull(call.failureType),
    attempts: call.attempts,
    duration_ms: tenths(call.durationMs),
    repairs: shortList(call.repairs.map(codeOf)),
    was_advised: call.advice !== undefined,
    advice: shortList(call.adviceRules ?? []),
  };
}

/** `coerced-value at limit` names an argument, which is not kept. */
function codeOf(repair: string): string {
  return repair.split(' ', 1)[0] ?? '';
}

/** Nobody needs more than a tenth of a millisecond. */
function tenths(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 10) / 10;
}

/** A model may call a tool whatever it likes, at any length. */
function short(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function shortOrNull(text: string | undefined): string | null {
  return text === undefined ? null : short(text);
}

function shortList(texts: readonly string[]): string[] {
  return texts.slice(0, LONGEST_LIST).map(short);
}
