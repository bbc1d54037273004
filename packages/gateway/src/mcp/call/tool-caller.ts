import type { Clock, JsonObject, JsonValue } from '@holdfast/core';
import type { Advice, AdvisedCall } from '@holdfast/core/advise';
import { Circuits } from '@holdfast/core/guard';
import type { CircuitBreaker, CircuitFleet, Failure, Random } from '@holdfast/core/guard';
import type { AdviceSigner } from '../../advice/advice-signer.ts';
import type { EnlistCircuits } from '../../fleet/isolations.ts';
import type { Logger } from '../../log/logger.ts';
import type { CallEnded } from '../../observe/gateway-event.ts';
import type { PluginHost } from '../../plugins/plugin-run.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { McpConfig } from '../mcp-config.ts';
import type { CallReply, CallResult, ListedTool } from '../messages.ts';
import { callEnded } from './call-ended.ts';
import { logCallEvent } from './call-event.ts';
import type { CallEvent, CallEventListener } from './call-event.ts';
import { CallRun } from './call-run.ts';
import type { CallEnd, CallMeans, CallOutcome } from './call-run.ts';
import { checkArguments } from './check-arguments.ts';
import type { CheckedArguments } from './check-arguments.ts';
import { ConnectionIncidents } from './connection-incidents.ts';
import { Conversations } from './conversations.ts';
import type { Conversation } from './conversations.ts';
import { describeEnd } from './describe-end.ts';
import { errorResult } from './error-result.ts';
import { finishResult } from './finish-result.ts';
import { GuardedTool } from './guarded-tool.ts';
import type { GuardMeans } from './guarded-tool.ts';
import { AllToolCounts } from './tool-counts.ts';
import type { ToolCounts } from './tool-counts.ts';
import { countedName } from './tool-request.ts';
import type { SendCall, ToolRequest } from './tool-request.ts';

/** What tool calls are made with. */
export interface ToolCallerOptions {
  readonly config: McpConfig;
  readonly plugins: PluginHost;
  readonly clock: Clock;
  readonly random?: Random;
  readonly log: Logger;
  /** Shares circuits with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
  /** Told what happens. What it throws is dropped. */
  readonly onEvent?: CallEventListener;
  /** Told of every call that is over and of its circuits, with texts as they came; not of those that the client took back. */
  readonly onEnded?: (event: CallEnded, circuits: readonly CircuitBreaker[]) => void;
  /** Signs advice, so that a model proxy knows it again. Default: it is not signed. */
  readonly signer?: AdviceSigner | undefined;
  /** Whether calls that only repeat what failed are stopped. For agents that nobody watches. @defaultValue 'off' */
  readonly veto?: 'off' | 'on';
}

/** A call on its way. */
interface OneCall {
  readonly request: ToolRequest;
  readonly tool: GuardedTool;
  readonly checked: CheckedArguments;
  readonly send: SendCall;
  readonly startedAt: number;
}

/**
 * Makes tool calls: checks and mends the arguments, asks the plugins, sends the call behind timeout, circuits
 * and retry, cuts what is too large, and advises the model. What fails comes back as a result with `isError`,
 * for the model to act on. It rejects only where the client took the call back, with the reason of that, and
 * where the server answered with an error of the protocol, which the client gets as it is.
 */
export class ToolCaller {
  /** All circuits: of tools, and of servers. */
  readonly circuits: Circuits;
  readonly #config: McpConfig;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #onEvent: CallEventListener | undefined;
  readonly #onEnded: ToolCallerOptions['onEnded'];
  readonly #guard: Omit<GuardMeans, 'incidents'>;
  /** By server. */
  readonly #incidents = new Map<string, ConnectionIncidents>();
  readonly #means: CallMeans;
  readonly #leave: (() => void) | undefined;
  readonly #vetoes: boolean;
  readonly #signer: AdviceSigner | undefined;
  readonly #conversations: Conversations | undefined;
  readonly #counts = new AllToolCounts();
  /** By the very object that the server listed: one that is listed anew is made anew. */
  readonly #tools = new WeakMap<ListedTool, GuardedTool>();

  constructor(options: ToolCallerOptions) {
    const { config, plugins, clock, random, log, onEvent, onEnded, fleet, veto = 'off' } = options;
    const { enlist, signer } = options;
    const accepts = namesOf(config);
    const tell = (event: CallEvent): void => {
      this.#tell(event);
    };
    const environment = { clock, ...(random === undefined ? {} : { random }), onEvent: tell };
    this.#config = config;
    this.#log = log;
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.#onEnded = onEnded;
    this.circuits = new Circuits({
      ...environment,
      namespace: 'mcp',
      accepts,
      ...(fleet === undefined ? {} : { fleet }),
    });
    this.#leave = enlist?.(this.circuits, accepts);
    this.#guard = { ...environment, circuits: this.circuits, plugins };
    this.#means = { config, plugins, clock, onEvent: tell };
    this.#vetoes = veto === 'on';
    this.#signer = signer;
    this.#conversations = config.advice
      ? new Conversations({ ...config.advisor, veto, onEvent: tell }, clock)
      : undefined;
  }

  /** What became of the calls of every tool that was called. */
  get counts(): readonly ToolCounts[] {
    return this.#counts.list();
  }

  /** No more calls will come. */
  close(): void {
    this.#leave?.();
    this.circuits.clear();
  }

  /** Makes a call. */
  async call(request: ToolRequest, send: SendCall): Promise<CallReply> {
    const startedAt = this.#clock.now();
    const tool = this.#toolOf(request);
    tool.counts.calls++;
    const checked = this.#check(request, tool);
    const call = { request, tool, checked, send, startedAt };
    const { conversation: name } = request;
    const conversation = name === undefined ? undefined : this.#conversations?.of(name);
    if (conversation === undefined) return this.#reply(call, await this.#run(call), undefined);
    const advised: AdvisedCall = {
      tool: request.shownName,
      arguments: checked.ok ? checked.args : objectFrom(request.arguments),
      id: request.id,
      round: conversation.begin(),
    };
    try {
      return await this.#advised(call, conversation, advised);
    } finally {
      conversation.end();
    }
  }

  async #advised(
    call: OneCall,
    { advisor }: Conversation,
    advised: AdvisedCall,
  ): Promise<CallReply> {
    // Where nothing is vetoed there is nothing to hear before a call.
    const early = this.#vetoes ? advisor.before(advised) : {};
    if (early.veto !== undefined) {
      return this.#reply(call, notSent(call.tool, early.veto.text, 'refused'), early.advice);
    }
    const outcome = await this.#run(call);
    const advice = advisor.after(advised, describeEnd(advised.tool, outcome)) ?? early.advice;
    return this.#reply(call, outcome, advice);
  }

  #run({ request, tool, checked, send }: OneCall): Promise<CallOutcome> {
    if (request.refusal !== undefined) {
      return Promise.resolve(notSent(tool, request.refusal, 'refused'));
    }
    if (checked.ok) return new CallRun(request, send, tool, this.#means).run(checked.args);
    return Promise.resolve(notSent(tool, checked.message, 'invalid-arguments'));
  }

  #check(request: ToolRequest, tool: GuardedTool): CheckedArguments {
    const isChecked = this.#config.check && tool.isCheckable && request.refusal === undefined;
    const checked = checkArguments(request.arguments, tool.definition, isChecked);
    const of = { server: request.server.name, tool: countedName(request) };
    if (!checked.ok) {
      const issues = checked.issues.map(({ code, path }) => place(code, path));
      this.#tell({ type: 'arguments-refused', ...of, issues });
      return checked;
    }
    if (checked.isHopeless) {
      tool.isCheckable = false;
      this.#tell({ type: 'schema-given-up', ...of });
    }
    if (checked.repairs.length > 0) {
      tool.counts.repairs++;
      const repairs = checked.repairs.map(({ repair, path }) => place(repair, path));
      this.#tell({ type: 'arguments-repaired', ...of, repairs });
    }
    return checked;
  }

  #reply(call: OneCall, outcome: CallOutcome, advice: Advice | undefined): CallReply {
    if ('inputRequired' in outcome) return outcome.inputRequired;
    const { request, tool } = call;
    const { failure } = outcome;
    const { counts } = tool;
    const of = { server: request.server.name, tool: countedName(request) };
    const attempts = 'error' in outcome ? 1 : outcome.attempts;
    if (failure !== undefined) {
      if (attempts > 0) counts.failures++;
      else counts.refusals++;
      this.#tell({ type: 'call-failed', ...of, class: failure.class, attempts });
    }
    const isTakenBack = 'error' in outcome && failure === undefined;
    if (!isTakenBack) this.#tellEnd(call, failure, attempts, advice);
    if ('error' in outcome) throw outcome.error;
    if (advice !== undefined) counts.advice++;
    return this.#finish(outcome, call, advice?.text);
  }

  #tellEnd(
    { request, tool, checked, startedAt }: OneCall,
    failure: Failure | undefined,
    attempts: number,
    advice: Advice | undefined,
  ): void {
    if (this.#onEnded === undefined) return;
    const durationMs = this.#clock.now() - startedAt;
    try {
      const ended = { request, checked, failure, attempts, durationMs, advice };
      this.#onEnded(callEnded(ended), tool.circuits);
    } catch {
      // The one who watches has failed, not the call.
    }
  }

  #finish(end: CallEnd, { request, checked }: OneCall, advice: string | undefined): CallResult {
    const { modelCallId, server, tool } = request;
    const signer = this.#signer;
    const { result, truncation } = finishResult(end.result, {
      metadata: end.metadata,
      repairs: checked.ok ? checked.repairs : [],
      maxBytes: this.#config.maxResultBytes,
      advice,
      sign: (text) => (modelCallId === undefined ? undefined : signer?.sign(text, modelCallId)),
    });
    const of = { server: server.name, tool: tool.name };
    if (truncation !== undefined) {
      this.#tell({ type: 'result-cut', ...of, bytesLeftOut: truncation.bytes_left_out });
    }
    return result;
  }

  #toolOf(request: ToolRequest): GuardedTool {
    const { server, tool, shownName } = request;
    const known = this.#tools.get(tool);
    if (known !== undefined && known.server === server && known.shownName === shownName) {
      return known;
    }
    const counts = this.#counts.of(server.name, countedName(request));
    const incidents = this.#incidents.get(server.name) ?? new ConnectionIncidents();
    this.#incidents.set(server.name, incidents);
    const made = new GuardedTool(request, counts, { ...this.#guard, incidents });
    this.#tools.set(tool, made);
    return made;
  }

  #tell(event: CallEvent): void {
    logCallEvent(event, this.#log);
    try {
      this.#onEvent?.(event);
    } catch {
      // The one who watches has failed, not the call.
    }
  }
}

/** Whether a circuit can have such a name: `server:<server>`, `<server>/<tool>`, or a pattern. */
function namesOf({ servers }: McpConfig): (name: string) => boolean {
  const names = servers.map(({ name }) => name.replaceAll(/[%/:]/g, encodeURIComponent));
  return (circuit) =>
    circuit.includes('*') ||
    names.some((name) => circuit === `server:${name}` || circuit.startsWith(`${name}/`));
}

/** The end of a call that the server never saw. */
function notSent(
  tool: GuardedTool,
  text: string,
  failureClass: 'refused' | 'invalid-arguments',
): CallEnd {
  return {
    result: errorResult(text),
    failure: { class: failureClass, message: text },
    attempts: 0,
    metadata: { ...tool.metadata() },
  };
}

/** What the advisor compares calls by: it takes objects only. */
function objectFrom(given: JsonValue): JsonObject {
  return isObject(given) ? given : { arguments: given };
}

/** What, and where in the arguments; never what stands there. */
function place(what: string, path: readonly (string | number)[]): string {
  return path.length === 0 ? what : `${what} at ${path.join('.')}`;
}
