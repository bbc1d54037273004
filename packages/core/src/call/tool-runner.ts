import { Advisor } from '../advise/advisor.ts';
import { checkToolCall } from '../check/check-tool-call.ts';
import type { CheckIssue } from '../check/check-issue.ts';
import { Circuits } from '../guard/circuits.ts';
import { Executor } from '../guard/executor.ts';
import type { RunOptions } from '../guard/executor.ts';
import { ENVIRONMENT_RULES, resolveEnvironment } from '../guard/guard-environment.ts';
import type { GuardEnvironment, ResolvedEnvironment } from '../guard/guard-environment.ts';
import type { RetryOptions } from '../guard/retry-options.ts';
import { checkOptions, durationOrOff, flag, object } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { Failure } from '../internal/failure-class.ts';
import { unkeptNumbers } from '../internal/number-digits.ts';
import type { JsonObject, ToolCall } from '../types.ts';
import { outcomeMessage } from './outcome-message.ts';
import { resultOfOutcome } from './result-of-outcome.ts';
import { readCall } from './read-call.ts';
import type { RunnableCall } from './runnable-call.ts';
import { runnableTools } from './runnable-tools.ts';
import type { Validator } from './standard-validator.ts';
import { isReadOnly, isRepeatable } from './tool.ts';
import type { RunnableTools, Tool, ToolContext, TypedEntry, TypedTool } from './tool.ts';
import { CLOSED_METADATA } from '../guard/breaker/circuit-metadata.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** How a `ToolRunner` runs tools. */
export interface ToolRunnerOptions extends GuardEnvironment {
  /** Each with a name of its own and `execute`, defined in any shape. */
  readonly tools: RunnableTools;
  /** Where the circuits of the tools live. @defaultValue circuits of its own, with the defaults */
  readonly circuits?: Circuits;
  /** How long a call may take with all its attempts. @defaultValue 30_000 */
  readonly timeoutMs?: number;
  /** How long one attempt may take. @defaultValue Infinity */
  readonly attemptTimeoutMs?: number;
  /**
   * How failures are retried. Said here it holds for all tools but those marked destructive or not idempotent.
   * @defaultValue two retries of tools that are marked read-only or idempotent, none of others
   */
  readonly retry?: RetryOptions | false;
  /** Whether arguments are held against the schemas of the tools. @defaultValue true */
  readonly check?: boolean;
  /** Who advises the model; of several conversations each needs its own, given with the call. @defaultValue none */
  readonly advisor?: Advisor;
}

/** What is told of one call. */
export interface ToolRunOptions extends RunOptions {
  /** Who advises the model in this conversation. @defaultValue that of the runner */
  readonly advisor?: Advisor | undefined;
}

/** What a runner does unless told otherwise. */
export const TOOL_RUNNER_DEFAULTS: Readonly<{
  timeoutMs: number;
  attemptTimeoutMs: number;
  check: boolean;
}> = Object.freeze({ timeoutMs: 30_000, attemptTimeoutMs: Infinity, check: true });

const RULES: Readonly<Record<keyof ToolRunnerOptions, OptionRule>> = {
  tools: (value) => (typeof value === 'object' ? undefined : 'a list or a record of tools'),
  circuits: (value) => (value instanceof Circuits ? undefined : 'a Circuits'),
  timeoutMs: durationOrOff(1),
  attemptTimeoutMs: durationOrOff(1),
  retry: (value) => (value === false ? undefined : object(value) && 'options, or false'),
  check: flag,
  advisor: (value) => (value instanceof Advisor ? undefined : 'an Advisor'),
  ...ENVIRONMENT_RULES,
};

/** Runs calls that a model wrote: checks them, guards the tools, and tells in words what failed. */
export class ToolRunner {
  readonly tools: readonly Tool[];
  readonly circuits: Circuits;
  readonly #options: ToolRunnerOptions;
  readonly #environment: ResolvedEnvironment;
  readonly #executors = new Map<Tool, Executor>();
  readonly #validators: ReadonlyMap<Tool, Validator | undefined>;

  constructor(options: ToolRunnerOptions) {
    checkOptions(options, RULES, 'runner');
    const { clock, random, onEvent } = options;
    const tools = runnableTools(options.tools);
    this.tools = [...tools.keys()];
    this.#validators = tools;
    this.#options = options;
    this.#environment = resolveEnvironment(options);
    this.circuits =
      options.circuits ??
      new Circuits({
        ...(clock === undefined ? {} : { clock }),
        ...(random === undefined ? {} : { random }),
        ...(onEvent === undefined ? {} : { onEvent }),
      });
    // What is wrong with a tool's options shows now, not in the middle of a conversation.
    for (const tool of this.tools) this.#executorFor(tool);
  }

  /** Runs one call, in any shape. Never throws and never rejects because of the call or the tool. */
  async run(call: RunnableCall, options: ToolRunOptions = {}): Promise<ToolOutcome> {
    const checked = await this.#validate(this.#read(call));
    const advisor = options.advisor ?? this.#options.advisor;
    if (advisor === undefined) return this.#run(checked, options);
    const { id, name: tool, arguments: args } = checked.call;
    const advised = { id, tool, arguments: args };
    const { veto, advice: early } = advisor.before(advised);
    if (veto !== undefined) {
      const failure = { class: 'refused', message: veto.text, code: 'vetoed' } as const;
      return this.#notRun({ call: checked.call, failure }, this.#environment.clock.now());
    }
    const outcome = await this.#run(checked, options);
    const { advice = early } = advisor.after(advised, resultOfOutcome(outcome));
    return advice === undefined ? outcome : { ...outcome, advice };
  }

  async #run(checked: Checked, options: RunOptions): Promise<ToolOutcome> {
    const startedAt = this.#environment.clock.now();
    if ('failure' in checked) return this.#notRun(checked, startedAt);
    const { tool, call: checkedCall } = checked;
    const outcome = await this.#executorFor(tool).run((attempt) => {
      const context: ToolContext = {
        get signal() {
          return attempt.signal;
        },
        attempt: attempt.attempt,
        callId: checkedCall.id,
        toolName: tool.name,
        argumentsText: checkedCall.argumentsText,
      };
      return tool.execute(checked.value ?? checkedCall.arguments, context);
    }, options);
    const { attempts } = outcome;
    const durationMs = this.#environment.clock.now() - startedAt;
    const metadata = this.#circuitsOf(tool)[0].metadata(outcome);
    const about = { call: checkedCall, attempts, durationMs, metadata };
    if (outcome.ok) return { ok: true, value: outcome.value, ...about };
    const { failure, retryAfterMs = failure.retryAfterMs } = outcome;
    const message = this.#messageOf(tool.name, failure);
    return {
      ok: false,
      failure,
      message,
      ...about,
      ...('value' in outcome ? { value: outcome.value } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }

  /** Runs all calls of a response side by side. Outcomes come in the order of the calls; no list is no call. */
  runAll(
    calls: readonly RunnableCall[] | null | undefined,
    options: ToolRunOptions = {},
  ): Promise<ToolOutcome[]> {
    return Promise.all((calls ?? []).map((call) => this.run(call, options)));
  }

  #read(given: RunnableCall): Checked {
    const { call, problem } = readCall(given);
    try {
      if (problem === undefined) return this.#check(call);
      return { call, failure: { class: 'invalid-arguments', message: problem } };
    } catch (error) {
      // A getter or a proxy of the caller, in the arguments.
      const reason = error instanceof Error ? error.message : String(error);
      const message = `reading the arguments throws: ${reason}`;
      const read = { ...call, arguments: {} };
      return { call: read, failure: { class: 'invalid-arguments', message } };
    }
  }

  /** Arguments that fit the JSON Schema are validated by the library whose schema it is. */
  #validate(checked: Checked): Checked | Promise<Checked> {
    if ('failure' in checked || this.#options.check === false) return checked;
    const validate = this.#validators.get(checked.tool);
    return validate === undefined ? checked : validated(checked, validate);
  }

  #check(call: ToolCall): Checked {
    const { check = TOOL_RUNNER_DEFAULTS.check } = this.#options;
    const checked = checkToolCall(call, this.tools, { fix: check });
    if (!checked.ok && (check || checked.issues.some(isUnknownTool))) {
      const failureClass = checked.issues.some(isUnknownTool) ? 'not-found' : 'invalid-arguments';
      const failure: Failure = { class: failureClass, message: checked.message };
      return { call, failure, issues: checked.issues };
    }
    const runnable = checked.ok ? checked.call : call;
    const tool = this.tools.find(({ name }) => name === runnable.name);
    if (tool === undefined) return { call, failure: { class: 'not-found', message: call.name } };
    const doubt = doubtOf(runnable, tool);
    if (doubt !== undefined)
      return { call, failure: { class: 'invalid-arguments', message: doubt } };
    return { call: runnable, tool };
  }

  #notRun({ call, failure, issues }: NotRunnable, startedAt: number): ToolOutcome {
    const tool = this.tools.find(({ name }) => name === call.name);
    return {
      ok: false,
      failure,
      message: this.#messageOf(call.name, failure),
      call,
      attempts: 0,
      durationMs: this.#environment.clock.now() - startedAt,
      metadata: tool === undefined ? CLOSED_METADATA : this.#circuitsOf(tool)[0].metadata(),
      ...(issues === undefined ? {} : { issues }),
    };
  }

  #messageOf(tool: string, failure: Failure): string {
    return outcomeMessage(tool, failure, this.#environment.clock.wallTime());
  }

  #executorFor(tool: Tool): Executor {
    let executor = this.#executors.get(tool);
    if (executor === undefined) {
      const { timeoutMs, attemptTimeoutMs } = { ...TOOL_RUNNER_DEFAULTS, ...this.#options };
      const { clock, random, emit } = this.#environment;
      executor = new Executor({
        name: tool.name,
        timeoutMs: tool.timeoutMs ?? timeoutMs,
        attemptTimeoutMs,
        retry: retryOf(tool, this.#options.retry),
        circuits: () => this.#circuitsOf(tool),
        clock,
        random,
        onEvent: emit,
      });
      this.#executors.set(tool, executor);
    }
    return executor;
  }

  #circuitsOf({ name, server, provider }: Tool): ReturnType<Circuits['forTool']> {
    return this.circuits.forTool(name, {
      ...(server === undefined ? {} : { server }),
      ...(provider === undefined ? {} : { provider }),
    });
  }
}

type Settings = Omit<ToolRunnerOptions, 'tools'>;

/** Runs calls that a model wrote. A tool with a Standard Schema, such as one of zod, gets typed arguments. */
export function createToolRunner<Schemas extends readonly unknown[] | []>(
  options: Settings & {
    readonly tools: { readonly [At in keyof Schemas]: TypedTool<Schemas[At]> };
  },
): ToolRunner;
export function createToolRunner<Schemas extends Readonly<Record<string, unknown>>>(
  options: Settings & {
    readonly tools: { readonly [Name in keyof Schemas]: TypedEntry<Schemas[Name]> };
  },
): ToolRunner;
export function createToolRunner(options: ToolRunnerOptions): ToolRunner;
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  return new ToolRunner(options);
}

type Checked = Runnable | NotRunnable;

interface Runnable {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** The arguments as the library of their schema returned them, which need not be JSON. */
  readonly value?: JsonObject;
}

interface NotRunnable {
  readonly call: ToolCall;
  readonly failure: Failure;
  readonly issues?: readonly CheckIssue[];
}

async function validated(checked: Runnable, validate: Validator): Promise<Checked> {
  const { call, tool } = checked;
  const result = await validate(call.arguments);
  if (result.ok) return { ...checked, value: result.value as JsonObject };
  const { issues } = result;
  const lines = issues.map(({ message }) => `- ${message}`).join('\n');
  const message = `the arguments of ${tool.name} do not fit:\n${lines}`;
  return { call, failure: { class: 'invalid-arguments', message }, issues };
}

const isUnknownTool = ({ code }: CheckIssue): boolean => code === 'unknown-tool';

/** Why a call that could be read only by guessing is not run. A tool that only reads can do no harm with it. */
function doubtOf(call: ToolCall, { annotations, parameters }: Tool): string | undefined {
  const { complete, lossy } = call;
  if (isReadOnly(annotations)) return undefined;
  if (!complete) return 'the answer ended inside the call; write the whole call again';
  const lost = lossy ? unkeptNumbers(call.arguments, parameters) : [];
  if (lost.length > 0)
    return `${lost.join(', ')}: the number has more digits than can be kept; write a smaller one`;
  return lossy
    ? 'the call could be read only by guessing; write it again as valid JSON'
    : undefined;
}

/** What a tool says of itself goes before what the runner says of all. */
function retryOf(
  { retry, annotations = {} }: Tool,
  ofAll: RetryOptions | false | undefined,
): RetryOptions | false {
  const { idempotentHint, destructiveHint } = annotations;
  if (retry !== undefined) return retry;
  if (ofAll === false) return false;
  if (isRepeatable(annotations)) return ofAll ?? {};
  const isUnsafe = destructiveHint === true || idempotentHint === false;
  if (ofAll === undefined) return false;
  return isUnsafe ? { ...ofAll, isIdempotent: false } : ofAll;
}
