import type { Clock, JsonObject, ToolDefinition } from '@holdfast/core';
import { Executor, FAILURE_RULES, ToolTimeoutError } from '@holdfast/core/guard';
import type {
  CircuitBreaker,
  CircuitMetadata,
  Circuits,
  Failure,
  GuardEventListener,
  Outcome,
  Random,
} from '@holdfast/core/guard';
import { UNLISTED_TOOL } from '../../observe/unlisted-tool.ts';
import type { PluginHost } from '../../plugins/plugin-run.ts';
import { objectOf } from '../../proxy/json/json-fields.ts';
import type { CircuitCounts, McpServerConfig } from '../mcp-config.ts';
import type { CallReply, ListedTool } from '../messages.ts';
import { CallSignal } from '../call-signal.ts';
import { asServerSaid } from './as-server-said.ts';
import { CallWatch } from './call-watch.ts';
import type { ConnectionIncidents } from './connection-incidents.ts';
import { isClientTimeout } from './is-client-timeout.ts';
import { NotSentError } from './not-sent-error.ts';
import { asksClient, isProtocolError } from './protocol-error.ts';
import type { RunningCounts } from './tool-counts.ts';
import type { SendCall, ToolRequest } from './tool-request.ts';

/** An error of the protocol that is the answer of a server which is well. */
export class ErrorAnswer {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The SDKs' clients wait as long as the gateway does, and give up first: that much of the limit was meant. */
const SILENT_RATIO = 0.9;

/** What all tools are guarded with. */
export interface GuardMeans {
  readonly circuits: Circuits;
  readonly plugins: PluginHost;
  /** Of the server. */
  readonly incidents: ConnectionIncidents;
  readonly clock: Clock;
  readonly random?: Random;
  readonly onEvent: GuardEventListener;
}

/** How a tool that was asked answered. */
export interface ToolAnswer {
  readonly outcome: Outcome<CallReply | ErrorAnswer>;
  /** Whether the same call may be made once more, should a plugin wish so. */
  readonly mayRepeat: boolean;
}

/** One tool of one server, as it was listed: what a call of it needs and what need not be made for each. */
export class GuardedTool {
  readonly server: McpServerConfig;
  readonly shownName: string;
  readonly definition: ToolDefinition;
  readonly counts: RunningCounts;
  /** Whether arguments can be held against its schema. */
  isCheckable = true;
  readonly #name: string;
  readonly #means: GuardMeans;
  readonly #executor: Executor;
  readonly #idleMs: number;
  /** Whether calling it twice does no more than calling it once. */
  readonly #isSafe: boolean;
  /** Failures of calls that nobody waits for any more, or during which the client's user was asked something. */
  readonly #notAgain = new WeakSet<object>();
  readonly #isUnlisted: boolean;
  readonly #serverCircuit: string;

  constructor(request: ToolRequest, counts: RunningCounts, means: GuardMeans) {
    const { server, tool, shownName, isUnlisted = false } = request;
    const { clock, random, onEvent } = means;
    this.server = server;
    this.shownName = shownName;
    this.definition = { name: shownName, parameters: tool.inputSchema };
    this.counts = counts;
    this.#name = tool.name;
    this.#means = means;
    this.#idleMs = ownOf(server.toolTimeoutsMs, tool.name) ?? server.timeoutMs;
    this.#isSafe = isSafe(server, tool);
    this.#isUnlisted = isUnlisted;
    this.#serverCircuit = this.#configure();
    this.#executor = new Executor({
      name: isUnlisted ? UNLISTED_TOOL : shownName,
      timeoutLabel: `${shownName}:timeout`,
      timeoutMs: server.maxDurationMs,
      circuits: () => this.circuits,
      retry: { retryOn: (failure) => this.#isRepeatable(failure) },
      clock,
      ...(random === undefined ? {} : { random }),
      onEvent,
    });
  }

  /** Asks the tool, with all attempts that are allowed. Never rejects. */
  async ask(
    args: JsonObject,
    { signal }: ToolRequest,
    send: SendCall,
    deadlineAt: number,
  ): Promise<ToolAnswer> {
    const { clock, incidents } = this.#means;
    const call = incidents.begin();
    const limits = {
      name: this.shownName,
      idleMs: this.#idleMs,
      maxDurationMs: this.server.maxDurationMs,
      deadlineAt,
    };
    let watch: CallWatch | undefined;
    const cancelled = new CallSignal();
    const cancel = (): void => {
      if (watch === undefined || !this.#timeOut(watch, signal.reason)) {
        cancelled.abort(signal.reason);
      }
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    const outcome = await this.#executor.run(
      ({ attempt }) => {
        watch = new CallWatch(attempt, clock, limits);
        return this.#attempt(args, send, watch, call);
      },
      { signal: cancelled },
    );
    signal.removeEventListener('abort', cancel);
    if (outcome.ok) return { outcome, mayRepeat: false };
    const { failure, attempts } = outcome;
    watch?.stop(signal.aborted ? signal.reason : failure.cause);
    // Who has made several attempts already makes no more of them for a plugin: retries would multiply.
    const isFresh = attempts === 1 && !this.#isMarked(failure);
    const mayRepeat = isFresh && (this.#isSafe || failure.cause instanceof NotSentError);
    return { outcome, mayRepeat };
  }

  /**
   * The circuits a call has to pass, innermost first. A tool that its server does not list has none of its own, except
   * one that a person isolated.
   */
  get circuits(): readonly [CircuitBreaker, ...CircuitBreaker[]] {
    const { circuits, plugins } = this.#means;
    const place = { server: this.server.name };
    if (this.#isUnlisted) {
      const isolated = circuits.isolated(this.#name, place);
      const ofServer = circuits.get(this.#serverCircuit);
      return isolated === undefined ? [ofServer] : [isolated, ofServer];
    }
    if (plugins.guardsTool(this.#name, this.server.name)) {
      return [circuits.get(this.#serverCircuit)];
    }
    return circuits.forTool(this.#name, place);
  }

  /** What a result tells of the circuit of the tool, or of that which refused the call. */
  metadata(outcome?: Outcome<unknown>): CircuitMetadata {
    const refusing = outcome?.ok === false ? outcome.refusal?.circuit : undefined;
    const refused = refusing === undefined ? undefined : this.#means.circuits.peek(refusing);
    return (refused ?? this.circuits[0]).metadata(outcome);
  }

  /** Whether the circuit of that name is that of the server. */
  isServerCircuit(circuit: string): boolean {
    return circuit === this.#serverCircuit;
  }

  /** What somebody said who isolated the circuit; undefined where it is not isolated. */
  isolationOf(circuit: string): string | undefined {
    const last = this.#means.circuits.get(circuit).history.at(-1);
    return last?.to === 'open' && last.reason === 'isolated' ? (last.note ?? '') : undefined;
  }

  /**
   * Ends an attempt that the client gave up because the server did not answer: that is a timeout of the tool, which
   * counts. Returns false where the client cancelled it for a reason of its own, or the attempt has ended.
   */
  #timeOut(watch: CallWatch, reason: unknown): boolean {
    const { silentMs } = watch;
    if (silentMs === undefined) return false;
    if (!isClientTimeout(reason) && silentMs < this.#idleMs * SILENT_RATIO) return false;
    const error = new ToolTimeoutError(this.shownName, silentMs);
    // Nobody waits for another attempt.
    this.#notAgain.add(error);
    watch.fail(error, reason);
    return true;
  }

  /** Sets its circuits up. Returns the name of that of the server. */
  #configure(): string {
    const { circuits } = this.#means;
    const { name, circuit: settings } = this.server;
    const { toolCounts, ...circuit } = settings;
    const { openForMs, scope, onStoreLoss } = circuit;
    if (!this.#isUnlisted) {
      const [own] = circuits.forTool(this.#name, { server: name });
      const counts = { ...circuit.counts, ...ownOf(toolCounts, this.#name) };
      circuits.configureCircuit(own.name, { ...circuit, counts });
    }
    const ofServer = circuits.forServer(name).name;
    const counts = onlyFalse(circuit.counts);
    circuits.configureCircuit(ofServer, { openForMs, scope, onStoreLoss, counts });
    return ofServer;
  }

  async #attempt(
    args: JsonObject,
    send: SendCall,
    watch: CallWatch,
    call: number,
  ): Promise<CallReply | ErrorAnswer> {
    try {
      const reply = asServerSaid(await watch.run(() => send(args, watch)));
      if (watch.wasHeld) this.#notAgain.add(reply);
      return reply;
    } catch (error) {
      if (isProtocolError(error) && asksClient(error)) return new ErrorAnswer(error);
      this.#means.incidents.mark(error, call);
      if (watch.wasHeld && typeof error === 'object' && error !== null) this.#notAgain.add(error);
      throw error;
    }
  }

  /** A tool that may have done its work is asked again only where doing it twice does no harm. */
  #isRepeatable(failure: Failure): boolean {
    if (failure.cause instanceof NotSentError) return true;
    return this.#isSafe && FAILURE_RULES[failure.class].retryable && !this.#isMarked(failure);
  }

  #isMarked({ cause }: Failure): boolean {
    return typeof cause === 'object' && cause !== null && this.#notAgain.has(cause);
  }
}

/** What is set for one tool. */
function ownOf<Value>(byTool: Readonly<Record<string, Value>>, tool: string): Value | undefined {
  return Object.hasOwn(byTool, tool) ? byTool[tool] : undefined;
}

/** What counts against a tool need not count against its server; what does not is no failure of the server either. */
function onlyFalse(counts: CircuitCounts): CircuitCounts {
  return Object.fromEntries(Object.entries(counts).filter(([, isCounted]) => !isCounted));
}

function isSafe({ idempotentTools, trustAnnotations }: McpServerConfig, tool: ListedTool): boolean {
  if (idempotentTools.includes(tool.name)) return true;
  const { readOnlyHint, destructiveHint, idempotentHint } = objectOf(tool['annotations']);
  // One that only reads and destroys contradicts itself, and counts as destructive.
  if (readOnlyHint === true && destructiveHint === true) return false;
  return trustAnnotations && (readOnlyHint === true || idempotentHint === true);
}
