import type { Clock } from '@holdfast/core';
import type { AdvisedCall } from '@holdfast/core/advise';
import { Circuits } from '@holdfast/core/guard';
import type { Random } from '@holdfast/core/guard';
import type { Logger } from '../../log/logger.ts';
import type { PluginHost } from '../../plugins/plugin-run.ts';
import type { McpConfig } from '../mcp-config.ts';
import type { CallReply, CallResult, ListedTool } from '../messages.ts';
import { logCallEvent } from './call-event.ts';
import type { CallEvent, CallEventListener } from './call-event.ts';
import { CallRun } from './call-run.ts';
import type { CallEnd, CallMeans, CallOutcome } from './call-run.ts';
import { checkArguments } from './check-arguments.ts';
import type { CheckedArguments } from './check-arguments.ts';
import { Conversations } from './conversations.ts';
import type { Conversation } from './conversations.ts';
import { describeEnd } from './describe-end.ts';
import { errorResult } from './error-result.ts';
import { finishResult } from './finish-result.ts';
import { GuardedTool } from './guarded-tool.ts';
import type { GuardMeans } from './guarded-tool.ts';
import { AllToolCounts } from './tool-counts.ts';
import type { ToolCounts } from './tool-counts.ts';
import type { SendCall, ToolRequest } from './tool-request.ts';

/** What tool calls are made with. */
export interface ToolCallerOptions {
  readonly config: McpConfig;
  readonly plugins: PluginHost;
  readonly clock: Clock;
  readonly random?: Random;
  readonly log: Logger;
  /** Told what happens. What it throws is dropped. */
  readonly onEvent?: CallEventListener;
  /** Whether calls that only repeat what failed are stopped. For agents that nobody watches. @defaultValue 'off' */
  readonly veto?: 'off' | 'on';
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
  readonly #onEvent: CallEventListener | undefined;
  readonly #guard: GuardMeans;
  readonly #means: CallMeans;
  readonly #vetoes: boolean;
  readonly #conversations: Conversations | undefined;
  readonly #counts = new AllToolCounts();
  /** By the very object that the server listed: one that is listed anew is made anew. */
  readonly #tools = new WeakMap<ListedTool, GuardedTool>();

  constructor({ config, plugins, clock, random, log, onEvent, veto = 'off' }: ToolCallerOptions) {
    const tell = (event: CallEvent): void => {
      this.#tell(event);
    };
    const environment = { clock, ...(random === undefined ? {} : { random }), onEvent: tell };
    this.#config = config;
    this.#log = log;
    this.#onEvent = onEvent;
    this.circuits = new Circuits(environment);
    this.#guard = { ...environment, circuits: this.circuits, plugins };
    this.#means = { config, plugins, clock, onEvent: tell };
    this.#vetoes = veto === 'on';
    this.#conversations = config.advice
      ? new Conversations({ veto, onEvent: tell }, clock)
      : undefined;
  }

  /** What became of the calls of every tool that was called. */
  get counts(): readonly ToolCounts[] {
    return this.#counts.list();
  }

  /** Makes a call. */
  async call(request: ToolRequest, send: SendCall): Promise<CallReply> {
    const tool = this.#toolOf(request);
    tool.counts.calls++;
    const checked = this.#check(request, tool);
    const conversation = this.#conversations?.of(request.conversation);
    if (conversation === undefined) {
      const outcome = await this.#run(request, checked, send, tool);
      return this.#reply(request, tool, checked, outcome, undefined);
    }
    const advised: AdvisedCall = {
      tool: request.shownName,
      arguments: checked.ok ? checked.args : request.arguments,
      id: request.id,
      round: conversation.begin(),
    };
    try {
      return await this.#advised(request, checked, send, tool, conversation, advised);
    } finally {
      conversation.end();
    }
  }

  async #advised(
    request: ToolRequest,
    checked: CheckedArguments,
    send: SendCall,
    tool: GuardedTool,
    { advisor }: Conversation,
    advised: AdvisedCall,
  ): Promise<CallReply> {
    // Where nothing is vetoed there is nothing to hear before a call.
    const early = this.#vetoes ? advisor.before(advised) : {};
    if (early.veto !== undefined) {
      const end = notSent(tool, early.veto.text, 'refused');
      return this.#reply(request, tool, checked, end, early.advice?.text);
    }
    const outcome = await this.#run(request, checked, send, tool);
    const advice = advisor.after(advised, describeEnd(advised.tool, outcome)) ?? early.advice;
    return this.#reply(request, tool, checked, outcome, advice?.text);
  }

  #run(
    request: ToolRequest,
    checked: CheckedArguments,
    send: SendCall,
    tool: GuardedTool,
  ): Promise<CallOutcome> {
    if (checked.ok) return new CallRun(request, send, tool, this.#means).run(checked.args);
    return Promise.resolve(notSent(tool, checked.message, 'invalid-arguments'));
  }

  #check(request: ToolRequest, tool: GuardedTool): CheckedArguments {
    const args = request.arguments;
    if (!this.#config.check || !tool.isCheckable) {
      return { ok: true, args, repairs: [], isHopeless: false };
    }
    const checked = checkArguments(args, tool.definition);
    const of = { server: request.server.name, tool: request.tool.name };
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

  #reply(
    request: ToolRequest,
    tool: GuardedTool,
    checked: CheckedArguments,
    outcome: CallOutcome,
    advice: string | undefined,
  ): CallReply {
    if ('inputRequired' in outcome) return outcome.inputRequired;
    const { failure } = outcome;
    const { counts } = tool;
    const of = { server: request.server.name, tool: request.tool.name };
    if (failure !== undefined) {
      const attempts = 'error' in outcome ? 1 : outcome.attempts;
      if (attempts > 0) counts.failures++;
      else counts.refusals++;
      this.#tell({ type: 'call-failed', ...of, class: failure.class, attempts });
    }
    if ('error' in outcome) throw outcome.error;
    if (advice !== undefined) counts.advice++;
    return this.#finish(outcome, checked, advice, of);
  }

  #finish(
    end: CallEnd,
    checked: CheckedArguments,
    advice: string | undefined,
    of: { readonly server: string; readonly tool: string },
  ): CallResult {
    const { result, truncation } = finishResult(end.result, {
      metadata: end.metadata,
      repairs: checked.ok ? checked.repairs : [],
      maxBytes: this.#config.maxResultBytes,
      advice,
    });
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
    const counts = this.#counts.of(server.name, tool.name);
    const made = new GuardedTool(request, counts, this.#guard);
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

/** What, and where in the arguments; never what stands there. */
function place(what: string, path: readonly (string | number)[]): string {
  return path.length === 0 ? what : `${what} at ${path.join('.')}`;
}
