import type { Advisor } from '../../advise/advisor.ts';
import { isRepeatable } from '../../call/tool.ts';
import type { ToolAnnotations } from '../../call/tool.ts';
import { ToolRunner } from '../../call/tool-runner.ts';
import { checkToolCall } from '../../check/check-tool-call.ts';
import { AttemptWatch } from '../../guard/attempt-watch.ts';
import type { AttemptLimits, WatchedAttempt } from '../../guard/attempt-watch.ts';
import { Circuits } from '../../guard/circuits.ts';
import { resolveEnvironment } from '../../guard/guard-environment.ts';
import type { ResolvedEnvironment } from '../../guard/guard-environment.ts';
import type { RetryOptions } from '../../guard/retry-options.ts';
import { FAILURE_RULES } from '../../internal/failure-class.ts';
import type { Failure } from '../../internal/failure-class.ts';
import { callId } from '../../internal/random.ts';
import type { JsonObject } from '../../types.ts';
import { asksClient } from './asks-client.ts';
import { BadAnswerError } from './bad-answer-error.ts';
import { MCP_GUARD_DEFAULTS } from './mcp-guard-options.ts';
import type { McpGuardOptions } from './mcp-guard-options.ts';
import { mcpResult } from './mcp-result.ts';

/** A tool as it is guarded. What is made for it is kept as long as this object. */
export interface McpTool {
  readonly name: string;
  /** Whom it lives on, which may be known only once there is a connection. */
  readonly server: () => string | undefined;
  /** What arguments are held against; undefined where they are not. */
  readonly parameters: JsonObject | undefined;
  /** What is believed of what it says of itself. */
  readonly annotations: ToolAnnotations;
}

/** One call on its way. */
export interface McpCall {
  readonly tool: McpTool;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal | undefined;
  readonly advisor?: Advisor | undefined;
  /** @defaultValue that of the options */
  readonly idleMs?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  readonly work: (args: JsonObject, attempt: WatchedAttempt) => Promise<unknown>;
}

type Work = (args: JsonObject, attempt: number) => Promise<unknown>;

/** An error that goes to the client as it is, although nothing has failed. */
class Asked {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Runs calls of MCP tools behind a check, circuits, a limit of silence and careful retries. */
export class McpGuard {
  readonly #options: McpGuardOptions;
  readonly #environment: ResolvedEnvironment;
  readonly #circuits: Circuits;
  readonly #runners = new WeakMap<McpTool, { checking?: ToolRunner; plain?: ToolRunner }>();
  /** What running calls do, by their ids. */
  readonly #works = new Map<string, Work>();
  readonly #watches = new Set<AttemptWatch>();
  /** What ended attempts during which a user was asked something. */
  readonly #notAgain = new WeakSet();

  constructor(options: McpGuardOptions) {
    const { clock, random, emit } = resolveEnvironment(options);
    this.#options = options;
    this.#environment = { clock, random, emit };
    this.#circuits = options.circuits ?? new Circuits({ clock, random, onEvent: emit });
  }

  /**
   * A result, whatever happened to the tool. Rejects where the caller took the call back, with its reason, and
   * with errors that only ask the client for something.
   */
  async run(call: McpCall): Promise<unknown> {
    const { tool, signal, advisor } = call;
    const checked = check(tool, call.arguments);
    const id = callId(this.#environment.random);
    const attempts: AttemptWatch[] = [];
    this.#works.set(id, this.#workOf(call, attempts));
    const about = { format: 'mcp', repairs: [], complete: true, lossy: false };
    const args = checked?.arguments ?? call.arguments;
    try {
      const runner = this.#runnerOf(tool, checked === undefined);
      const written = { id, name: tool.name, arguments: args, ...about };
      const outcome = await runner.run(written, { signal, advisor });
      if (!outcome.ok) attempts.at(-1)?.stop(outcome.failure.cause);
      if (!outcome.ok && outcome.failure.class === 'cancelled') throw outcome.failure.cause;
      if (outcome.ok && outcome.value instanceof Asked) throw outcome.value.error;
      return mcpResult(outcome, checked?.repairs ?? []);
    } finally {
      this.#works.delete(id);
    }
  }

  /** Somebody is being asked something: no call is silent meanwhile. */
  async holdWhile<T>(asking: () => T | Promise<T>): Promise<T> {
    const goOn = [...this.#watches].map((watch) => watch.hold());
    try {
      return await asking();
    } finally {
      for (const go of goOn) go();
    }
  }

  #workOf(call: McpCall, attempts: AttemptWatch[]): Work {
    const { clock } = this.#environment;
    const limits = this.#limitsOf(call);
    return async (args, attempt) => {
      const watch = new AttemptWatch(attempt, clock, limits);
      attempts.push(watch);
      this.#watches.add(watch);
      try {
        const value = await watch.run((context) => call.work(args, context));
        if (watch.wasHeld) this.#mark(value);
        return value;
      } catch (error) {
        if (asksClient(error)) return new Asked(error);
        const failure = BadAnswerError.from(error) ?? error;
        if (watch.wasHeld) this.#mark(failure);
        throw failure;
      } finally {
        this.#watches.delete(watch);
      }
    };
  }

  #limitsOf({ tool: { name }, idleMs, maxDurationMs = Infinity }: McpCall): AttemptLimits {
    const { toolTimeoutsMs = {}, ...options } = { ...MCP_GUARD_DEFAULTS, ...this.#options };
    const ofTool = Object.hasOwn(toolTimeoutsMs, name) ? toolTimeoutsMs[name] : undefined;
    const longestMs = Math.min(maxDurationMs, options.maxDurationMs);
    return {
      name,
      idleMs: idleMs ?? ofTool ?? options.timeoutMs,
      maxDurationMs: longestMs,
      deadlineAt: this.#environment.clock.now() + longestMs,
    };
  }

  #runnerOf(tool: McpTool, isChecking: boolean): ToolRunner {
    const made = this.#runners.get(tool) ?? {};
    this.#runners.set(tool, made);
    return isChecking
      ? (made.checking ??= this.#makeRunner(tool, tool.parameters))
      : (made.plain ??= this.#makeRunner(tool, undefined));
  }

  #makeRunner(
    { name, server, annotations }: McpTool,
    parameters: JsonObject | undefined,
  ): ToolRunner {
    const { clock, random, emit } = this.#environment;
    const home = server();
    return new ToolRunner({
      tools: [
        {
          name,
          annotations,
          retry: this.#retryOf(annotations),
          ...(home !== undefined && { server: home }),
          ...(parameters !== undefined && { parameters }),
          execute: (args, { callId: id, attempt }) => this.#works.get(id)?.(args, attempt),
        },
      ],
      circuits: this.#circuits,
      timeoutMs: this.#options.maxDurationMs ?? MCP_GUARD_DEFAULTS.maxDurationMs,
      check: parameters !== undefined,
      clock,
      random,
      onEvent: emit,
    });
  }

  /** A tool that says nothing of itself is not asked twice: MCP's default is that it may destroy something. */
  #retryOf(annotations: ToolAnnotations): RetryOptions | false {
    const { retry = {} } = this.#options;
    if (retry === false || !isRepeatable(annotations)) return false;
    const { retryOn = isRetryable } = retry;
    return { ...retry, retryOn: (failure) => !this.#isMarked(failure) && retryOn(failure) };
  }

  #mark(end: unknown): void {
    if (typeof end === 'object' && end !== null) this.#notAgain.add(end);
  }

  #isMarked({ cause }: Failure): boolean {
    return typeof cause === 'object' && cause !== null && this.#notAgain.has(cause);
  }
}

interface FittingArguments {
  readonly arguments: JsonObject;
  readonly repairs: readonly string[];
}

/** Arguments that may be sent, set right where that is no guess; undefined where they do not fit. */
function check({ name, parameters }: McpTool, args: JsonObject): FittingArguments | undefined {
  if (parameters === undefined) return { arguments: args, repairs: [] };
  const checked = checkToolCall({ name, arguments: args }, [{ name, parameters }]);
  if (checked.ok)
    return {
      arguments: checked.call.arguments,
      repairs: checked.repairs.map(({ message }) => message),
    };
  // A schema that cannot be followed must not block its tool: then the server judges by itself.
  const isUnclear = checked.issues.some(({ code }) => code === 'too-complex');
  return isUnclear ? { arguments: args, repairs: [] } : undefined;
}

const isRetryable = ({ class: failureClass }: Failure): boolean =>
  FAILURE_RULES[failureClass].retryable;
