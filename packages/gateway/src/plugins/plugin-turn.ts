import type { Clock, JsonObject } from '@holdfast/core';
import type { Logger } from '../log/logger.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { PluginHook, PluginResult, PluginViolation } from './plugin.ts';
import type { PluginCallContext } from './plugin-call-context.ts';
import { mayChange, mayStop } from './plugin-mode.ts';
import { readPluginResult, UNEXPLAINED } from './read-plugin-result.ts';
import type { ReadPayload } from './read-plugin-result.ts';

/** What the word of a plugin comes to by its mode. */
export interface Verdict<Payload> {
  /** Takes the place of what it got. */
  readonly payload?: Payload;
  /** The call stops here. */
  readonly violation?: PluginViolation;
  readonly metadata?: JsonObject;
  readonly retryDelayMs?: number;
}

/** Where plugins run. */
export interface PluginSurroundings {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** The plugin is not called any more, by any call. */
  leaveOut(loaded: LoadedPlugin): void;
  isLeftOut(loaded: LoadedPlugin): boolean;
}

/** How one hook is called on one payload. */
export interface HookCall<Payload> {
  readonly hook: PluginHook;
  readonly tool: string;
  readonly read: ReadPayload<Payload>;
  invoke(loaded: LoadedPlugin, payload: Payload, context: PluginCallContext): unknown;
}

/** One plugin in one call. Whatever the plugin does, nothing here throws or rejects. */
export class PluginTurn {
  readonly loaded: LoadedPlugin;
  readonly context: PluginCallContext;
  readonly #around: PluginSurroundings;
  /** It was asked before the call, and has not heard of its end. */
  #isOpen = false;

  constructor(loaded: LoadedPlugin, context: PluginCallContext, around: PluginSurroundings) {
    this.loaded = loaded;
    this.context = context;
    this.#around = around;
  }

  has(hook: PluginHook): boolean {
    const { entry, plugin } = this.loaded;
    return plugin[hook] !== undefined && (entry.hooks?.includes(hook) ?? true);
  }

  /** At once where the plugin answers at once: then there is no timer and no promise. */
  run<Payload>(
    call: HookCall<Payload>,
    payload: Payload,
  ): Verdict<Payload> | Promise<Verdict<Payload>> {
    const { isOurs } = this.loaded;
    if (!this.has(call.hook) || this.#around.isLeftOut(this.loaded)) return NOTHING;
    this.#isOpen = call.hook === 'tool_pre_invoke';
    try {
      // What a plugin changes in place must change nothing.
      const given = isOurs ? payload : structuredClone(payload);
      const answer = call.invoke(this.loaded, given, this.context);
      return isThenable(answer)
        ? this.#inTime(answer).then(
            (value) => this.#judge(call, payload, value),
            (error: unknown) => this.#fail(call, error),
          )
        : this.#judge(call, payload, answer);
    } catch (error) {
      return this.#fail(call, error);
    }
  }

  /** The call has no end, or none that this plugin hears of. */
  abandon(reason: Error): void {
    this.context.abort(reason);
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.loaded.plugin.tool_abandoned?.(this.context);
    } catch (error) {
      const plugin = this.loaded.entry.name;
      this.#around.log.warn({ plugin }, `plugin ${plugin} failed: ${messageOf(error)}`);
    }
  }

  #judge<Payload>(call: HookCall<Payload>, given: Payload, answer: unknown): Verdict<Payload> {
    const { isOurs, entry } = this.loaded;
    let result: PluginResult<Payload> | undefined;
    try {
      result = isOurs
        ? (answer as PluginResult<Payload> | undefined)
        : readPluginResult(answer, given, call.read);
    } catch (error) {
      return this.#fail(call, error);
    }
    if (result === undefined) return NOTHING;
    const { violation, modified_payload, metadata, retry_delay_ms } = result;
    const stops = !(result.continue_processing ?? violation === undefined);
    if (stops && !mayStop(entry.phase)) {
      const { code, reason } = violation ?? UNEXPLAINED;
      const would = `plugin ${entry.name} would have stopped ${call.tool}: ${reason}`;
      this.#around.log.warn({ plugin: entry.name, tool: call.tool, code }, would);
    }
    if (stops && mayStop(entry.phase)) {
      // It knows that the call goes no further: it has said so.
      this.#isOpen = false;
      const meta = metadata === undefined ? {} : { metadata };
      return { violation: violation ?? UNEXPLAINED, ...meta };
    }
    return {
      ...(modified_payload !== undefined && mayChange(entry.phase)
        ? { payload: modified_payload }
        : {}),
      ...(metadata === undefined ? {} : { metadata }),
      ...(retry_delay_ms === undefined ? {} : { retryDelayMs: retry_delay_ms }),
    };
  }

  #fail<Payload>({ hook, tool }: HookCall<Payload>, error: unknown): Verdict<Payload> {
    const { name, onError } = this.loaded.entry;
    const { log } = this.#around;
    const isTimeout = error instanceof PluginTimeout;
    const fields = { plugin: name, tool, hook };
    log.warn(fields, `plugin ${name} failed in ${hook}: ${messageOf(error)}`);
    if (onError === 'disable') {
      log.error(fields, `plugin ${name} is left out from now on, as its on_error says`);
      this.#around.leaveOut(this.loaded);
      this.abandon(new Error('the plugin failed'));
    }
    if (onError !== 'fail') return NOTHING;
    const what = isTimeout ? 'did not answer in time' : 'failed';
    const effect =
      hook === 'tool_pre_invoke'
        ? `so ${tool} was not called`
        : `after ${tool} had run, so its result is held back. Do not assume that nothing happened`;
    return {
      violation: {
        reason: `Plugin ${name} ${what}`,
        description: `The plugin ${name} ${what}, ${effect}.`,
        code: isTimeout ? 'PLUGIN_TIMEOUT' : 'PLUGIN_ERROR',
        details: { plugin: name },
        http_status_code: isTimeout ? 504 : 500,
      },
    };
  }

  #inTime(answer: PromiseLike<unknown>): Promise<unknown> {
    const { clock, timeoutMs } = this.#around;
    const { signal } = this.context;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        end();
        reject(signal.reason instanceof Error ? signal.reason : new Error('nobody waits any more'));
      };
      const cancel = clock.setTimer(
        () => this.context.abort(new PluginTimeout(timeoutMs)),
        timeoutMs,
        true,
      );
      signal.addEventListener('abort', giveUp);
      answer.then(
        (value) => {
          end();
          resolve(value);
        },
        (error: unknown) => {
          end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it came
          reject(error);
        },
      );
    });
  }
}

class PluginTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000} s`);
  }
}

const NOTHING: Verdict<never> = Object.freeze({});

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
