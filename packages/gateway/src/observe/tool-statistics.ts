import type { JsonObject } from '@holdfast/core';
import { BoundedMap } from './bounded-map.ts';
import { CountsByName } from './counts-by-name.ts';
import { eventJson } from './event-json.ts';
import type { CallEnded, ObservedEvent } from './gateway-event.ts';
import { LogHistogram } from './log-histogram.ts';
import { LOOP_RULES } from './loop-rules.ts';
import { Newest } from './newest.ts';

/** In no name of a server. */
const BETWEEN = '\0';

export const MOST_TOOLS = 500;
export const MOST_FAILURES = 500;

/** An `ObservedEvent` that tells of a call. */
type ObservedCall = ObservedEvent & { readonly event: CallEnded };

interface ToolEntry {
  readonly server: string | undefined;
  readonly tool: string;
  calls: number;
  ok: number;
  failed: number;
  refused: number;
  loops: number;
  readonly times: LogHistogram;
  readonly classes: CountsByName;
  readonly types: CountsByName;
  lastFailure: ObservedEvent | undefined;
}

/** What became of the calls of each tool since the gateway runs, and the last that failed. */
export class ToolStatistics {
  readonly #tools = new BoundedMap<ToolEntry>({
    max: MOST_TOOLS,
    make: makeEntry,
    worth: ({ calls }) => calls,
    fold,
  });
  readonly #failures = new Newest<ObservedCall>(MOST_FAILURES);

  take(observed: ObservedEvent): void {
    const { event, source } = observed;
    if (event.type === 'call-ended') this.#takeCall({ ...observed, event });
    // The ends of calls through the MCP gateway tell of their advice themselves.
    if (event.type !== 'advice-given' || source === 'mcp') return;
    if (event.rules.some((rule) => LOOP_RULES.has(rule)))
      this.#entry(undefined, event.tool).loops++;
  }

  /** Those with the most calls first. */
  tools(): readonly JsonObject[] {
    const { others } = this.#tools;
    const entries = [...this.#tools.values()].sort((one, other) => other.calls - one.calls);
    return [...entries, ...(others === undefined ? [] : [others])].map(toolJson);
  }

  /** Newest first; of both outcomes where none is asked for. */
  failures(limit: number, outcome?: unknown): readonly JsonObject[] {
    const found: JsonObject[] = [];
    for (const observed of this.#failures) {
      if (found.length >= limit) break;
      if (outcome === undefined || observed.event.outcome === outcome)
        found.push(eventJson(observed));
    }
    return found;
  }

  #takeCall(observed: ObservedCall): void {
    const { event: call } = observed;
    const { outcome, durationMs, adviceRules } = call;
    const entry = this.#entry(call.server, call.tool);
    entry.calls++;
    entry[outcome]++;
    if (durationMs !== undefined && outcome !== 'refused') entry.times.add(durationMs);
    if (adviceRules !== undefined && adviceRules.some((rule) => LOOP_RULES.has(rule)))
      entry.loops++;
    if (outcome === 'ok') return;
    if (call.class !== undefined) entry.classes.add(call.class);
    // What was not sent says nothing of how the tool fails.
    if (outcome === 'failed' && call.failureType !== undefined) entry.types.add(call.failureType);
    entry.lastFailure = observed;
    this.#failures.add(observed);
  }

  #entry(server: string | undefined, tool: string): ToolEntry {
    return this.#tools.getOrMake(`${server ?? ''}${BETWEEN}${tool}`);
  }
}

function makeEntry(key: string): ToolEntry {
  const at = key.indexOf(BETWEEN);
  return {
    server: at <= 0 ? undefined : key.slice(0, at),
    tool: key.slice(at + 1),
    calls: 0,
    ok: 0,
    failed: 0,
    refused: 0,
    loops: 0,
    times: new LogHistogram(),
    classes: new CountsByName(),
    types: new CountsByName(),
    lastFailure: undefined,
  };
}

function fold(gone: ToolEntry, others: ToolEntry): void {
  others.calls += gone.calls;
  others.ok += gone.ok;
  others.failed += gone.failed;
  others.refused += gone.refused;
  others.loops += gone.loops;
  others.times.addAll(gone.times);
  others.classes.addAll(gone.classes);
  others.types.addAll(gone.types);
  const isNewer = (gone.lastFailure?.seq ?? 0) > (others.lastFailure?.seq ?? 0);
  if (isNewer) others.lastFailure = gone.lastFailure;
}

function toolJson(entry: ToolEntry): JsonObject {
  const { server = null, tool, calls, ok, failed, refused, loops, times, lastFailure } = entry;
  const made = ok + failed;
  return {
    server,
    tool,
    calls,
    ok,
    failed,
    refused,
    success_rate: made === 0 ? null : Math.round((ok / made) * 1000) / 1000,
    p50_ms: times.percentile(0.5),
    p95_ms: times.percentile(0.95),
    classes: entry.classes.toJson(),
    types: entry.types.toJson(),
    last_failure: lastFailure === undefined ? null : eventJson(lastFailure),
    loops,
  };
}
