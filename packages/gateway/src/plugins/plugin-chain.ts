import type { Clock, JsonObject, JsonValue } from '@holdfast/core';
import type { CircuitBreaker } from '@holdfast/core/guard';
import type { Logger } from '../log/logger.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { ToolPostInvokePayload, ToolPreInvokePayload } from './plugin.ts';
import { passPlugins } from './pass-plugins.ts';
import { PluginCallContext } from './plugin-call-context.ts';
import { fitsConditions } from './plugin-conditions.ts';
import type { ConditionSubject } from './plugin-conditions.ts';
import { mayStop } from './plugin-mode.ts';
import { readPostPayload, readPrePayload } from './plugin-payloads.ts';
import type { PluginCall, PluginRun, PostedHow, PostOutcome, PreOutcome } from './plugin-run.ts';
import { PluginTurn } from './plugin-turn.ts';
import type { HookCall, PluginSurroundings } from './plugin-turn.ts';

/** A call that is to be made again is waited for a little longer than it was asked to wait. */
const RETRY_GRACE_MS = 1000;

/** Plugins in the order in which they run, and the calls that are on their way through them. */
export class PluginChain implements PluginSurroundings {
  readonly plugins: readonly LoadedPlugin[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly #hasConditions: boolean;
  readonly #leftOut = new Set<LoadedPlugin>();
  #held = 0;
  #onIdle: (() => void) | undefined;

  constructor(
    plugins: readonly LoadedPlugin[],
    means: { readonly timeoutMs: number; readonly clock: Clock; readonly log: Logger },
  ) {
    this.plugins = plugins;
    this.timeoutMs = means.timeoutMs;
    this.clock = means.clock;
    this.log = means.log;
    this.#hasConditions = plugins.some(({ entry }) => entry.conditions.length > 0);
  }

  begin(call: PluginCall): PluginRun | undefined {
    const plugins = this.#fitting(call);
    if (plugins.length === 0) return undefined;
    const turns = plugins.map(
      (loaded) => new PluginTurn(loaded, new PluginCallContext(call), this),
    );
    return new ChainRun(call, turns, this);
  }

  guards(subject: ConditionSubject): boolean {
    return this.#fitting(subject).some(isGuard);
  }

  circuitOf(subject: ConditionSubject): CircuitBreaker | undefined {
    const guard = this.#fitting(subject).find(isGuard);
    return guard?.plugin.circuitOf?.(subject.tool, subject.server);
  }

  get circuits(): readonly CircuitBreaker[] {
    return this.plugins.filter(isGuard).flatMap(({ plugin }) => plugin.circuits ?? []);
  }

  leaveOut(loaded: LoadedPlugin): void {
    this.#leftOut.add(loaded);
  }

  isLeftOut(loaded: LoadedPlugin): boolean {
    return this.#leftOut.has(loaded);
  }

  hold(): void {
    this.#held += 1;
  }

  release(): void {
    this.#held -= 1;
    if (this.#held === 0) this.#onIdle?.();
  }

  /** No call begins here any more; `onIdle` is called when the last one has ended. */
  retire(onIdle: () => void): void {
    this.#onIdle = onIdle;
    if (this.#held === 0) onIdle();
  }

  #fitting(subject: ConditionSubject): readonly LoadedPlugin[] {
    if (!this.#hasConditions && this.#leftOut.size === 0) return this.plugins;
    return this.plugins.filter(
      (loaded) => !this.#leftOut.has(loaded) && fitsConditions(loaded.entry.conditions, subject),
    );
  }
}

/** One call. */
class ChainRun implements PluginRun {
  readonly #tool: string;
  readonly #turns: readonly PluginTurn[];
  readonly #chain: PluginChain;
  /** What was said before the call belongs to its result. */
  #metadata: JsonObject = {};
  #isHeld = true;
  #isAbandoned = false;

  constructor(call: PluginCall, turns: readonly PluginTurn[], chain: PluginChain) {
    this.#tool = call.tool;
    this.#turns = turns;
    this.#chain = chain;
    chain.hold();
  }

  async pre(args: JsonObject, headers?: Readonly<Record<string, string>>): Promise<PreOutcome> {
    this.#hold();
    // A flag of an attempt that timed out says nothing about the next one.
    this.#tellTimeout(false);
    const given = { name: this.#tool, args, ...(headers === undefined ? {} : { headers }) };
    const passed = await this.#pass(PRE, given);
    this.#metadata = passed.metadata;
    const { payload, violation, metadata } = passed;
    if (violation === undefined) return { args: payload.args, metadata };
    this.#end('another plugin stopped the call');
    return { args: payload.args, violation, metadata };
  }

  async post(result: JsonValue, how?: PostedHow): Promise<PostOutcome> {
    this.#hold();
    this.#tellTimeout(how?.timedOut === true);
    this.#tellIncident(how?.incident);
    const passed = await this.#pass(POST, { name: this.#tool, result });
    const metadata = { ...this.#metadata, ...passed.metadata };
    const { payload, violation } = passed;
    const retryDelayMs =
      violation === undefined ? worthwhile(passed.retryDelayMs, metadata) : undefined;
    this.#end('another plugin held the result back', retryDelayMs);
    return {
      result: payload.result,
      metadata,
      ...(violation === undefined ? {} : { violation }),
      ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
    };
  }

  abandon(): void {
    if (!this.#isHeld) return;
    this.#isAbandoned = true;
    this.#end('the call was abandoned');
  }

  #pass<Payload>(
    call: Omit<HookCall<Payload>, 'tool'>,
    given: Payload,
  ): ReturnType<typeof passPlugins<Payload>> {
    return passPlugins(this.#turns, { ...call, tool: this.#tool }, given, {
      isOver: () => this.#isAbandoned,
      unawaited: (work) => {
        this.#chain.hold();
        void work.finally(() => this.#chain.release());
      },
    });
  }

  #hold(): void {
    this.#isAbandoned = false;
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#chain.hold();
  }

  /** Plugins that still wait for the end of the call are told that there is none. */
  #end(reason: string, retryDelayMs?: number): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    const error = new Error(reason);
    for (const turn of this.#turns) turn.abandon(error);
    const { clock } = this.#chain;
    if (retryDelayMs === undefined) this.#chain.release();
    else clock.setTimer(() => this.#chain.release(), retryDelayMs + RETRY_GRACE_MS, true);
  }

  #tellIncident(incident: object | undefined): void {
    for (const { context } of this.#turns) {
      if (incident === undefined) delete context.state['cb_incident'];
      else context.state['cb_incident'] = incident;
    }
  }

  #tellTimeout(isTimeout: boolean): void {
    for (const { context } of this.#turns) {
      if (isTimeout) context.state['cb_timeout_failure'] = true;
      else delete context.state['cb_timeout_failure'];
    }
  }
}

/** Whether it refuses calls of tools that keep failing. */
function isGuard({ keepsCircuits, entry: { phase, hooks } }: LoadedPlugin): boolean {
  return keepsCircuits && mayStop(phase) && (hooks === undefined || hooks.length === 2);
}

/** A retry that a circuit would refuse is not made: the result would be lost, and a refusal be told instead. */
function worthwhile(delayMs: number | undefined, metadata: JsonObject): number | undefined {
  const { circuit_retry_after_seconds: seconds } = metadata;
  const isRefused = typeof seconds === 'number' && seconds * 1000 > (delayMs ?? 0);
  return isRefused ? undefined : delayMs;
}

const PRE: Omit<HookCall<ToolPreInvokePayload>, 'tool'> = {
  hook: 'tool_pre_invoke',
  read: readPrePayload,
  invoke: ({ plugin }, payload, context) => plugin.tool_pre_invoke?.(payload, context),
};

const POST: Omit<HookCall<ToolPostInvokePayload>, 'tool'> = {
  hook: 'tool_post_invoke',
  read: readPostPayload,
  invoke: ({ plugin }, payload, context) => plugin.tool_post_invoke?.(payload, context),
};
