import type { JsonValue } from '@holdfast/core';
import { ADVICE_PREFIX, classify, splitAdvice } from '@holdfast/core/advise';
import type { ToolResult } from '@holdfast/core/advise';
import { readReturned } from '@holdfast/core/guard';
import type { Failure } from '@holdfast/core/guard';
import type { ToolResponse } from '@holdfast/core/hooks';
import type { CallEnded } from '../../observe/gateway-event.ts';
import type { Reporter } from '../../observe/reporter.ts';
import { LONGEST_LINE } from '../../observe/short-line.ts';
import type { PluginCall, PluginHost } from '../../plugins/plugin-run.ts';
import type { PluginViolation } from '../../plugins/plugin.ts';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';

interface InvokedCall {
  readonly call: PluginCall;
  readonly host: PluginHost;
}

const TIMED_OUT: Failure = { class: 'timeout', message: 'the call timed out' };
const NONE: readonly string[] = Object.freeze([]);

/** Tells that plugins refused a call before it was made. */
export function tellRefused(
  report: Reporter,
  { call, host, violation }: InvokedCall & { readonly violation: PluginViolation },
): void {
  settle(report, call, host);
  report.ended({
    ...aboutCall(call),
    ...failed({ class: 'refused', message: violation.reason }, call.tool),
    outcome: 'refused',
    attempts: 0,
    durationMs: undefined,
    advice: undefined,
  });
}

/** Tells how a call went that an agent told of. */
export function tellResult(
  report: Reporter,
  ended: InvokedCall & {
    readonly result: JsonValue;
    readonly timedOut: boolean;
    readonly durationMs: number | undefined;
    /** What the plugins made of it. */
    readonly told:
      { readonly result?: JsonValue; readonly violation?: PluginViolation } | undefined;
  },
): void {
  const { call, host, result, timedOut, durationMs, told } = ended;
  settle(report, call, host);
  const heldBack = told?.violation;
  const failure =
    (timedOut ? TIMED_OUT : readReturned(result)) ??
    (heldBack === undefined ? undefined : { class: 'refused', message: heldBack.reason });
  report.ended({
    ...aboutCall(call),
    ...(failure === undefined ? WENT_WELL : failed(failure, call.tool)),
    attempts: 1,
    durationMs,
    advice: told?.result === result ? undefined : adviceIn(told?.result),
  });
}

/** Tells how a tool answered that an agent has run. */
export function tellResponse(
  report: Reporter,
  ended: {
    readonly id: string;
    readonly tool: string;
    readonly response: ToolResponse;
    readonly advice: string;
  },
): void {
  const { id, tool, response, advice } = ended;
  const { message } = response;
  const additional = response.additional ?? {};
  const { status, type, evidence } = classify({ tool, output: message, ...signalsIn(additional) });
  const { durationMs } = additional;
  const isFailure = status === 'failure';
  report.ended({
    ...aboutCall({ requestId: id, tool }),
    outcome: isFailure ? 'failed' : 'ok',
    class: undefined,
    failureType: isFailure ? type : undefined,
    message: isFailure ? evidence : undefined,
    attempts: 1,
    durationMs: typeof durationMs === 'number' ? durationMs : undefined,
    advice: advice === '' ? undefined : advice,
  });
}

function aboutCall({
  requestId,
  tool,
  server,
}: PluginCall): Pick<CallEnded, 'type' | 'id' | 'server' | 'tool' | 'repairs'> {
  // Clients name them as they like.
  const id = requestId.slice(0, LONGEST_LINE);
  const name = tool.slice(0, LONGEST_LINE);
  return { type: 'call-ended', id, server, tool: name, repairs: NONE };
}

const WENT_WELL = {
  outcome: 'ok',
  class: undefined,
  failureType: undefined,
  message: undefined,
} as const;

function failed(
  { class: failureClass, message, status }: Failure,
  tool: string,
): Pick<CallEnded, 'outcome' | 'class' | 'failureType' | 'message'> {
  const about = status === undefined ? {} : { status };
  const { type } = classify({ tool, isError: true, output: message, failureClass, ...about });
  return { outcome: 'failed', class: failureClass, failureType: type, message };
}

function settle(report: Reporter, { tool, server }: PluginCall, host: PluginHost): void {
  const circuit = host.circuitOf?.(tool, server);
  if (circuit !== undefined) report.settled(circuit);
}

/** The advice that a plugin has added to a result. */
function adviceIn(result: JsonValue | undefined): string | undefined {
  if (typeof result === 'string') {
    return splitAdvice(result).advice;
  }
  const texts = listOf(objectOf(result)['content']).map((block) => textOf(objectOf(block)['text']));
  return texts.find((text) => text.startsWith(ADVICE_PREFIX));
}

function signalsIn(additional: Readonly<Record<string, unknown>>): Partial<ToolResult> {
  const { isError, exitCode, status, signal } = additional;
  return {
    ...(typeof isError === 'boolean' && { isError }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof status === 'number' && { status }),
    ...(typeof signal === 'string' && { signal }),
  };
}
