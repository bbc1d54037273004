import type { CircuitOptions, Failure, Permit, Refusal } from '@holdfast/core/guard';
import {
  Circuits,
  FAILURE_RULES,
  formatGuardEvent,
  readReturned,
  type CircuitBreaker,
} from '@holdfast/core/guard';
import { z } from 'zod';
import { circuitCounts } from '../../config/circuit-schema.ts';
import { section, share, wholeNumber } from '../../config/schema-parts.ts';
import type { Plugin, PluginContext, PluginResult, PluginViolation } from '../plugin.ts';
import type { BuiltInPlugin, PluginMeans } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';
import { overridesOf } from './tool-overrides.ts';

const SECONDS = 'seconds from 0.001 to 2000000';
const seconds = z
  .number({ error: SECONDS })
  .min(0.001, { error: SECONDS })
  .max(2_000_000, { error: SECONDS });

const KEYS = {
  error_rate_threshold: share,
  window_seconds: seconds,
  min_calls: wholeNumber(1, 100_000),
  consecutive_failure_threshold: wholeNumber(1, 100_000),
  cooldown_seconds: seconds,
  counts: circuitCounts,
};

const schema = section({
  error_rate_threshold: share
    .default(0.5)
    .describe('Such a share of the calls in the window failing opens the circuit.'),
  window_seconds: KEYS.window_seconds.default(60).describe('How long a call counts for the share.'),
  min_calls: KEYS.min_calls
    .default(10)
    .describe('With fewer calls in the window, their share says nothing.'),
  consecutive_failure_threshold: KEYS.consecutive_failure_threshold
    .default(5)
    .describe('So many failures in a row open it.'),
  cooldown_seconds: KEYS.cooldown_seconds
    .default(60)
    .describe('How long it stays open, before one call may try the tool.'),
  counts: circuitCounts
    .default({})
    .describe(
      'Which classes of failures count; all of them without it. { not-found: false } leaves missing files out.',
    ),
  tool_overrides: overridesOf({
    error_rate_threshold: share.exactOptional(),
    window_seconds: KEYS.window_seconds.exactOptional(),
    min_calls: KEYS.min_calls.exactOptional(),
    consecutive_failure_threshold: KEYS.consecutive_failure_threshold.exactOptional(),
    cooldown_seconds: KEYS.cooldown_seconds.exactOptional(),
    counts: circuitCounts.exactOptional(),
  }).describe('Any of these keys for single tools, by name.'),
});

type Config = z.output<typeof schema>;
type Thresholds = Omit<Config, 'tool_overrides'>;

/** Refuses calls of a tool that keeps failing, and finds out by single calls when it is well again. */
export const circuitBreaker: BuiltInPlugin = builtIn(
  schema,
  (config, means) => new CircuitBreakerPlugin(config, means),
  true,
);

/** What is kept between the two hooks, under the plugin's own state. */
interface Admitted {
  readonly circuit: CircuitBreaker;
  readonly permit: Permit;
}

const KEPT = 'cb_admitted';
const ASKED = 'cb_asked';
const TIMED_OUT: Failure = { class: 'timeout', message: 'the call timed out' };

class CircuitBreakerPlugin implements Plugin {
  readonly #base: Circuits;
  /** A tool with settings of its own has circuits of its own: one for each server that has such a tool. */
  readonly #own: ReadonlyMap<string, Circuits>;
  readonly #means: PluginMeans;
  readonly #leave: (() => void)[] = [];

  constructor({ tool_overrides, ...base }: Config, means: PluginMeans) {
    this.#means = means;
    const tools = Object.keys(tool_overrides);
    const isOf = (name: string, tool: string): boolean =>
      name === tool || name.endsWith(`/${tool}`);
    const isOwn = (name: string): boolean => tools.some((tool) => isOf(name, tool));
    const take = (thresholds: Thresholds, accepts: (name: string) => boolean): Circuits => {
      const all = (name: string): boolean => name.includes('*') || accepts(name);
      const circuits = circuitsOf(thresholds, means, all);
      const leave = means.enlist?.(circuits, all);
      if (leave !== undefined) this.#leave.push(leave);
      return circuits;
    };
    this.#base = take(base, (name) => !isOwn(name));
    this.#own = new Map(
      Object.entries(tool_overrides).map(([tool, own]) => [
        tool,
        take({ ...base, ...own }, (name) => isOf(name, tool)),
      ]),
    );
  }

  tool_pre_invoke(
    { name }: { readonly name: string },
    context: PluginContext,
  ): PluginResult<never> | undefined {
    this.tool_abandoned(context);
    context.state[ASKED] = true;
    const circuit = this.#circuitFor(name, context);
    if (circuit === undefined) return undefined;
    const admission = circuit.acquire();
    if (!('isRefused' in admission)) {
      context.state[KEPT] = { circuit, permit: admission } satisfies Admitted;
      return undefined;
    }
    const metadata = { ...circuit.metadata() };
    const violation = this.#refuse(admission, context.shown_name, metadata);
    return { continue_processing: false, violation, metadata };
  }

  tool_post_invoke(
    { name, result }: { readonly name: string; readonly result: unknown },
    context: PluginContext,
  ): PluginResult<never> {
    const admitted = takeAdmitted(context) ?? this.#admitLate(name, context);
    const timedOut = context.state['cb_timeout_failure'] === true;
    const read = timedOut ? TIMED_OUT : readReturned(result);
    const incident = context.state['cb_incident'] as object | undefined;
    const failure = read && incident ? { ...read, incident } : read;
    admitted?.circuit.settle(admitted.permit, failure);
    const circuit = admitted?.circuit ?? this.#circuitFor(name, context);
    return circuit === undefined ? {} : { metadata: { ...circuit.metadata(admitted?.permit) } };
  }

  tool_abandoned(context: PluginContext): void {
    const admitted = takeAdmitted(context);
    admitted?.circuit.release(admitted.permit);
  }

  circuitOf(tool: string, server?: string): CircuitBreaker {
    return this.#circuitsOf(tool).forTool(tool, { server })[0];
  }

  get circuits(): readonly CircuitBreaker[] {
    return this.#all.flatMap((circuits) => circuits.list());
  }

  shutdown(): void {
    for (const leave of this.#leave) leave();
    for (const circuits of this.#all) circuits.clear();
  }

  #circuitsOf(tool: string): Circuits {
    return this.#own.get(tool) ?? this.#base;
  }

  /** None for a tool that its server does not list, unless a person isolated it. */
  #circuitFor(
    tool: string,
    { unlisted, server_id: server }: PluginContext,
  ): CircuitBreaker | undefined {
    return unlisted === true
      ? this.#circuitsOf(tool).isolated(tool, { server })
      : this.circuitOf(tool, server);
  }

  get #all(): readonly Circuits[] {
    return [this.#base, ...this.#own.values()];
  }

  /** A call that nobody told of before it was made has been made all the same. */
  #admitLate(tool: string, context: PluginContext): Admitted | undefined {
    if (context.state[ASKED] === true) return undefined;
    const circuit = this.#circuitFor(tool, context);
    const permit = circuit?.acquire();
    if (circuit === undefined || permit === undefined) return undefined;
    return 'isRefused' in permit ? undefined : { circuit, permit };
  }

  #refuse(
    { state, retryAfterMs }: Refusal,
    tool: string,
    metadata: { circuit_open_until: number; circuit_consecutive_failures: number },
  ): PluginViolation {
    const isProbing = state === 'half-open';
    if (retryAfterMs === Infinity) return isolated(tool);
    const waitSeconds = Math.ceil(retryAfterMs / 100) / 10;
    const until = new Date(this.#means.clock.wallTime() + retryAfterMs).toISOString();
    const inARow = metadata.circuit_consecutive_failures;
    const why = isProbing
      ? `${tool} kept failing, and one call is finding out whether it works again`
      : `${tool} keeps failing${inARow > 1 ? ` (${inARow} times in a row)` : ''}`;
    return {
      reason: isProbing ? 'Circuit half-open, probe in flight' : 'Circuit open',
      description:
        `${why}, so this call was not made. Do not call ${tool} again before ${until} ` +
        `(in ${Math.ceil(waitSeconds)} s). ${FAILURE_RULES.refused.say}`,
      code: isProbing ? 'CIRCUIT_HALF_OPEN_PROBE_IN_FLIGHT' : 'CIRCUIT_OPEN',
      details: { open_until: metadata.circuit_open_until, retry_after_seconds: waitSeconds },
      http_status_code: 503,
      http_headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitSeconds))) },
    };
  }
}

/** A time without an end has no date and no seconds. */
function isolated(tool: string): PluginViolation {
  return {
    reason: 'Circuit isolated',
    description:
      `${tool} was isolated by an operator, so this call was not made. Do not call ${tool} again until the ` +
      `operator has reset it. ${FAILURE_RULES.refused.say}`,
    code: 'CIRCUIT_OPEN',
    details: { open_until: null, retry_after_seconds: null },
    http_status_code: 503,
  };
}

function circuitsOf(
  thresholds: Thresholds,
  { clock, log, onEvent, fleet }: PluginMeans,
  accepts: (name: string) => boolean,
): Circuits {
  const defaults: CircuitOptions = {
    failureRatio: thresholds.error_rate_threshold,
    windowMs: thresholds.window_seconds * 1000,
    minCalls: thresholds.min_calls,
    consecutiveFailures: thresholds.consecutive_failure_threshold,
    openForMs: thresholds.cooldown_seconds * 1000,
    // A cooldown is as long as it says.
    maxOpenForMs: Infinity,
    counts: { ...EVERY_CLASS, ...thresholds.counts },
  };
  return new Circuits({
    ...fleet,
    clock,
    defaults,
    accepts,
    onEvent: (event) => {
      if (event.type === 'circuit-opened') log.warn({}, formatGuardEvent(event));
      else if (event.type === 'circuit-closed') log.info({}, formatGuardEvent(event));
      onEvent?.(event);
    },
  });
}

/** Every result with `isError` is a failure, whatever it says. */
const EVERY_CLASS = Object.fromEntries(Object.keys(FAILURE_RULES).map((each) => [each, true]));

function takeAdmitted({ state }: PluginContext): Admitted | undefined {
  const admitted = state[KEPT] as Admitted | undefined;
  state[KEPT] = undefined;
  return admitted;
}
