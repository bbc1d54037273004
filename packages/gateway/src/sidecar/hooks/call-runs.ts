import type { Clock } from '@holdfast/core';
import { RequestError } from '../../http/request-error.ts';
import type { PluginCall, PluginHost, PluginRun } from '../../plugins/plugin-run.ts';
import { ExpiringMap } from '../expiring-map.ts';

/** A call and the plugins around it. */
export interface CallRun {
  readonly call: PluginCall;
  /** Missing where no plugin runs around this tool. */
  readonly run: PluginRun | undefined;
  /** When the hook before it was asked; undefined where nobody asked. */
  readonly startedAt?: number;
}

/** Before the tool; while it runs; when a plugin has asked for another attempt. */
type Stage = 'before' | 'called' | 'again';

interface Running extends CallRun {
  readonly stage: Stage;
}

/** How many calls are remembered, and for how long. */
export const CALL_RUN_LIMITS: { readonly max: number; readonly keepMs: number } = Object.freeze({
  max: 10_000,
  keepMs: 600_000,
});

/**
 * The calls that are under way, by `request_id`. Those that ended are remembered too: a result that a client
 * sends twice must not count twice against its tool.
 */
export class CallRuns {
  readonly #running: ExpiringMap<Running>;
  readonly #ended: ExpiringMap<'refused' | 'done'>;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    const limits = { ...CALL_RUN_LIMITS, clock };
    this.#running = new ExpiringMap({ ...limits, onForget: ({ run }) => run?.abandon() });
    this.#ended = new ExpiringMap(limits);
  }

  /** Calls that have begun and not ended. */
  get size(): number {
    return this.#running.size;
  }

  /** For the hook before a call. Where a plugin asked for another attempt, the run of the first goes on. */
  begin(call: PluginCall, host: PluginHost): CallRun {
    const { requestId, tool } = call;
    const kept = this.#running.get(requestId);
    if (kept !== undefined && (kept.stage !== 'again' || kept.call.tool !== tool))
      throw inUse(requestId, `is that of a call of ${kept.call.tool} that is under way`);
    // A call that was refused never ran, so it may be asked for again.
    if (this.#ended.get(requestId) === 'done') throw inUse(requestId, 'was that of a call before');
    const { run } = kept ?? { run: host.begin(call) };
    const begun = { call, run, startedAt: this.#clock.now() };
    this.#running.set(requestId, { ...begun, stage: 'before' });
    return begun;
  }

  /** The call may go on. */
  called(begun: CallRun): void {
    const { requestId } = begun.call;
    if (this.#running.has(requestId)) this.#running.set(requestId, { ...begun, stage: 'called' });
  }

  /** The call must not go on: it will have no result. */
  refused({ call: { requestId }, run }: CallRun): void {
    this.#running.take(requestId);
    this.#ended.set(requestId, 'refused');
    run?.abandon();
  }

  /** For the hook after a call. A call that nobody told of before begins here. */
  end(call: PluginCall, host: PluginHost): CallRun & { readonly hasBegun: boolean } {
    const { requestId, tool } = call;
    const kept = this.#running.get(requestId);
    if (kept?.stage === 'before')
      throw inUse(requestId, 'is that of a call whose tool_pre_invoke has not been answered yet');
    if (kept !== undefined && kept.call.tool !== tool)
      throw new RequestError(
        400,
        'invalid-request',
        `name: expected "${kept.call.tool}", as before the call, got "${tool}"`,
      );
    const ended = this.#ended.get(requestId);
    if (ended !== undefined)
      throw inUse(requestId, ended === 'done' ? 'has its result already' : 'was refused, not run');
    this.#running.take(requestId);
    this.#ended.set(requestId, 'done');
    if (kept !== undefined) return { ...kept, hasBegun: true };
    return { call, run: host.begin(call), hasBegun: false };
  }

  /** A plugin asks for another attempt: both hooks may be called again. */
  again({ call, run }: CallRun): void {
    this.#ended.take(call.requestId);
    this.#running.set(call.requestId, { call, run, stage: 'again' });
  }

  /** How long ago a call has begun; undefined where nobody told. */
  sinceBegin({ startedAt }: CallRun): number | undefined {
    return startedAt === undefined ? undefined : this.#clock.now() - startedAt;
  }

  /** Gives up the calls that are under way. */
  close(): void {
    this.#running.clear();
    this.#ended.clear();
  }
}

function inUse(requestId: string, why: string): RequestError {
  const message = `request_id: expected one for each call, got "${requestId}", which ${why}`;
  const details = { param: 'request_id', code: 'request_id_in_use' };
  return new RequestError(409, 'invalid-request', message, { details });
}
