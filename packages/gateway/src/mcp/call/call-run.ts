import type { Clock, JsonObject, JsonValue } from '@holdfast/core';
import type { CircuitMetadata, Failure, Outcome, Refusal } from '@holdfast/core/guard';
import type { PluginHost, PluginRun, PostedHow, PreOutcome } from '../../plugins/plugin-run.ts';
import type { PluginViolation } from '../../plugins/plugin.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import { wait } from '../../proxy/upstream/wait.ts';
import type { McpConfig } from '../mcp-config.ts';
import { isInputRequired, textBlock } from '../messages.ts';
import type { CallReply, CallResult, InputRequired } from '../messages.ts';
import type { CallEventListener } from './call-event.ts';
import { asServerError } from './as-server-said.ts';
import { errorResult } from './error-result.ts';
import { failureText, refusalText, violationText } from './failure-text.ts';
import type { CircuitRefusal } from './failure-text.ts';
import { ErrorAnswer } from './guarded-tool.ts';
import type { GuardedTool } from './guarded-tool.ts';
import { nearTools } from './near-tools.ts';
import { isProtocolError } from './protocol-error.ts';
import { countedName } from './tool-request.ts';
import type { SendCall, ToolRequest } from './tool-request.ts';

/** A call that has a result. */
export interface CallEnd {
  readonly result: CallResult;
  /** Undefined where it succeeded. */
  readonly failure: Failure | undefined;
  /** 0 where it was not sent. */
  readonly attempts: number;
  /** For `_meta` of the result. */
  readonly metadata: JsonObject;
}

/** What a call came to. */
export type CallOutcome =
  | CallEnd
  /** The client has to give something first. */
  | { readonly inputRequired: InputRequired }
  /** What to reject with: an error of the protocol, or why the client took the call back; then nothing failed. */
  | { readonly error: unknown; readonly failure: Failure | undefined };

/** What a call needs of the one who makes it. */
export interface CallMeans {
  readonly config: McpConfig;
  readonly plugins: PluginHost;
  readonly clock: Clock;
  readonly onEvent: CallEventListener;
}

type Answer = Outcome<CallReply | ErrorAnswer>;

interface Asked {
  readonly outcome: CallOutcome;
  readonly isRefused: boolean;
  readonly mayRepeat: boolean;
}

interface AskedWithin {
  readonly outcome: CallOutcome;
  readonly waitMs?: number;
}

/** A plugin that never has enough must not keep a call going for ever. */
const MOST_WISHES = 10;

/** One call on its way: the plugins before it, the tool behind its guard, the plugins after it. */
export class CallRun {
  readonly #request: ToolRequest;
  readonly #send: SendCall;
  readonly #tool: GuardedTool;
  readonly #means: CallMeans;
  readonly #deadlineAt: number;

  constructor(request: ToolRequest, send: SendCall, tool: GuardedTool, means: CallMeans) {
    this.#request = request;
    this.#send = send;
    this.#tool = tool;
    this.#means = means;
    this.#deadlineAt = means.clock.now() + request.server.maxDurationMs;
  }

  async run(args: JsonObject): Promise<CallOutcome> {
    // Plugins keep what they know by conversation: a call of none is one by itself.
    const { id, tool, isUnlisted, shownName, server, signal } = this.#request;
    const { conversation = id } = this.#request;
    const run = this.#means.plugins.begin({
      requestId: id,
      tool: tool.name,
      ...(isUnlisted === true && { isUnlisted }),
      shownName,
      server: server.name,
      conversation,
    });
    if (run === undefined) return (await this.#ask(args)).outcome;
    let last: CallOutcome | undefined;
    for (let wishes = 0; ; wishes++) {
      const pre = await run.pre(args);
      if (signal.aborted) {
        run.abandon();
        return { error: signal.reason, failure: undefined };
      }
      if (pre.violation !== undefined) {
        run.abandon();
        // Of a call that failed and may not be made again, the model hears how it failed.
        return last ?? this.#stopped(pre.violation, pre.metadata, 0);
      }
      const { outcome, waitMs } = await this.#askWithin(run, pre);
      const isWish = waitMs !== undefined && wishes < MOST_WISHES;
      if (!isWish || !(await this.#waits(waitMs))) return outcome;
      last = outcome;
    }
  }

  /** Asks once; with how long to wait before another time, where a plugin wants that and it is safe. */
  async #askWithin(run: PluginRun, pre: PreOutcome): Promise<AskedWithin> {
    const { outcome, isRefused, mayRepeat } = await this.#ask(pre.args);
    if ('inputRequired' in outcome) {
      run.abandon();
      return { outcome };
    }
    if ('error' in outcome) return { outcome: await this.#errorWithin(run, outcome) };
    if (isRefused) {
      run.abandon();
      // The circuit that refused the call is ours: what it says goes before what plugins say of theirs.
      return { outcome: { ...outcome, metadata: { ...pre.metadata, ...outcome.metadata } } };
    }
    const post = await run.post(outcome.result, howOf(outcome.failure));
    const metadata = { ...outcome.metadata, ...pre.metadata, ...post.metadata };
    if (post.violation !== undefined)
      return { outcome: this.#stopped(post.violation, metadata, outcome.attempts) };
    const result = post.result === outcome.result ? outcome.result : resultOf(post.result);
    return {
      outcome: { ...outcome, result, metadata },
      ...(mayRepeat && post.retryDelayMs !== undefined ? { waitMs: post.retryDelayMs } : {}),
    };
  }

  /** Plugins see results: an error of the protocol is one to them, and stays what it is to the client. */
  async #errorWithin(
    run: PluginRun,
    outcome: Extract<CallOutcome, { error: unknown }>,
  ): Promise<CallOutcome> {
    const { failure } = outcome;
    if (failure === undefined || failure.class === 'invalid-arguments') run.abandon();
    else await run.post(errorResult(failure.message), howOf(failure));
    return outcome;
  }

  /** Waits before another attempt. False where it would come too late. */
  async #waits(delayMs: number): Promise<boolean> {
    const { clock } = this.#means;
    if (!(clock.now() + delayMs < this.#deadlineAt)) return false;
    try {
      await wait(delayMs, clock, this.#request.signal);
    } catch {
      // Taken back meanwhile: the next attempt is not made, and says so.
    }
    return true;
  }

  async #ask(args: JsonObject): Promise<Asked> {
    const { outcome, mayRepeat } = await this.#tool.ask(
      args,
      this.#request,
      this.#send,
      this.#deadlineAt,
    );
    if (outcome.ok) return { outcome: this.#answered(outcome), isRefused: false, mayRepeat };
    const isRefused = outcome.refusal !== undefined;
    return { outcome: this.#failed(outcome), isRefused, mayRepeat };
  }

  #answered(outcome: Extract<Answer, { ok: true }>): CallOutcome {
    const { value, attempts } = outcome;
    if (value instanceof ErrorAnswer) return { error: value.error, failure: undefined };
    if (isInputRequired(value)) return { inputRequired: value };
    const metadata = { ...this.#tool.metadata(outcome) };
    return { result: value, failure: undefined, attempts, metadata };
  }

  #failed(outcome: Extract<Answer, { ok: false }>): CallOutcome {
    const { failure, attempts, value, refusal } = outcome;
    const { signal } = this.#request;
    if (signal.aborted && failure.class === 'cancelled')
      return { error: signal.reason, failure: undefined };
    if (isProtocolError(failure.cause)) return { error: asServerError(failure.cause), failure };
    const metadata = { ...this.#tool.metadata(outcome) };
    const isResult = value !== undefined && !(value instanceof ErrorAnswer);
    if (isResult && !isInputRequired(value)) return { result: value, failure, attempts, metadata };
    const wallTime = this.#means.clock.wallTime();
    const text =
      refusal === undefined
        ? failureText(this.#tool.shownName, failure, wallTime)
        : refusalText(this.#refusal(refusal, this.#tool.metadata(outcome)), wallTime);
    return { result: errorResult(text), failure, attempts, metadata };
  }

  #refusal({ circuit, retryAfterMs, reason }: Refusal, metadata: CircuitMetadata): CircuitRefusal {
    const { shownName, serverTools, server } = this.#request;
    const isServers = this.#tool.isServerCircuit(circuit);
    const prefix = server.name + this.#means.config.separator;
    return {
      tool: shownName,
      server: isServers ? server.name : undefined,
      retryAfterMs,
      metadata,
      isStoreLost: reason === 'store-lost',
      isolatedFor: this.#tool.isolationOf(circuit),
      // Where a server is down, so are its other tools.
      near: isServers ? [] : nearTools(shownName, serverTools, prefix),
    };
  }

  #stopped(violation: PluginViolation, metadata: JsonObject, attempts: number): CallOutcome {
    const { code, reason, details } = violation;
    const tool = countedName(this.#request);
    this.#means.onEvent({ type: 'call-stopped', server: this.#request.server.name, tool, code });
    const text = violationText(this.#tool.shownName, violation, this.#means.clock.wallTime());
    return {
      result: errorResult(text),
      failure: { class: 'refused', message: reason, code },
      attempts,
      metadata: {
        ...this.#tool.metadata(),
        ...metadata,
        'holdfast/violation': { code, reason, details },
      },
    };
  }
}

function howOf(failure: Failure | undefined): PostedHow {
  return { timedOut: failure?.class === 'timeout', incident: failure?.incident };
}

/** What plugins made of a result. Whatever it is, the client gets a result. */
function resultOf(value: JsonValue): CallResult {
  if (isObject(value) && Array.isArray(value['content'])) return value as CallResult;
  return { content: [textBlock(typeof value === 'string' ? value : JSON.stringify(value))] };
}
