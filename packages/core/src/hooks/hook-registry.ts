import { InvalidOptionError } from '../errors.ts';
import { callable, checkOptions, durationOrOff, object } from '../internal/check-options.ts';
import { systemClock } from '../internal/clock.ts';
import type { Clock } from '../internal/clock.ts';
import type { AfterExtension, BeforeExtension, MessageMask } from './extension.ts';
import type { HookData } from './hook-data.ts';
import type { HookEventListener } from './hook-event.ts';
import { HookList } from './hook-list.ts';
import { HOOK_POINTS } from './hook-point.ts';
import type { HookPoint } from './hook-point.ts';
import type { AfterOutcome, AfterRun, BeforeOutcome, BeforeRun } from './hook-run.ts';
import { runAfter } from './run-after.ts';
import { runBefore } from './run-before.ts';
import type { HookEnvironment } from './run-extension.ts';

/** How extensions are run. */
export interface HookRegistryOptions {
  /** How long one extension may take before the chain goes on without it. @defaultValue 5_000 */
  readonly timeoutMs?: number;
  /** Where time comes from. @defaultValue the system's clock */
  readonly clock?: Clock;
  /** Told of extensions that fail. What it throws is dropped. @defaultValue nobody is told */
  readonly onEvent?: HookEventListener;
}

/** How long extensions may take unless told otherwise. */
export const HOOK_DEFAULTS: Readonly<Required<Pick<HookRegistryOptions, 'timeoutMs'>>> =
  Object.freeze({ timeoutMs: 5_000 });

/** What may be registered at which point. */
export interface HookExtensions {
  readonly tool_execute_before: BeforeExtension;
  readonly tool_execute_after: AfterExtension | MessageMask;
}

/**
 * Extensions that run before and after every tool, ordered by the number in their name. One that fails is
 * reported, and the next one runs: the tool call goes on in every case.
 */
export class HookRegistry {
  readonly #environment: HookEnvironment;
  readonly #data: HookData = new Map<string, unknown>();
  readonly #lists: { readonly [Point in HookPoint]: HookList<HookExtensions[Point]> } = {
    tool_execute_before: new HookList('tool_execute_before'),
    tool_execute_after: new HookList('tool_execute_after'),
  };

  constructor(options: HookRegistryOptions = {}) {
    const rules = { timeoutMs: durationOrOff(), clock: object, onEvent: callable };
    checkOptions(options, rules, 'HookRegistry');
    const { timeoutMs = HOOK_DEFAULTS.timeoutMs, clock = systemClock, onEvent } = options;
    this.#environment = { timeoutMs, clock, onEvent };
  }

  /** Adds an extension; `_20_name` says its place. A name can be had once at each point. */
  register<Point extends HookPoint>(
    point: Point,
    name: string,
    extension: HookExtensions[Point],
  ): this {
    checkPoint(point);
    if (typeof extension !== 'function' && !(point === 'tool_execute_after' && isMask(extension)))
      throw new InvalidOptionError('extension', 'a function', extension);
    this.#lists[point].add(name, extension);
    return this;
  }

  /** Removes an extension. Returns whether there was one of that name. */
  unregister(point: HookPoint, name: string): boolean {
    checkPoint(point);
    return this.#lists[point].remove(name);
  }

  /** The names of the extensions, in the order they run. */
  list(point: HookPoint): readonly string[] {
    checkPoint(point);
    return this.#lists[point].entries.map((entry) => entry.name);
  }

  /** Runs what is registered before tools. Never rejects. */
  runBefore(run: BeforeRun): Promise<BeforeOutcome> {
    return runBefore(run, this.#lists.tool_execute_before, this.#data, this.#environment);
  }

  /** Runs what is registered after tools. Never rejects. */
  runAfter(run: AfterRun): Promise<AfterOutcome> {
    return runAfter(run, this.#lists.tool_execute_after, this.#data, this.#environment);
  }
}

function checkPoint(point: HookPoint): void {
  if (!HOOK_POINTS.includes(point))
    throw new InvalidOptionError('point', HOOK_POINTS.join(' or '), point);
}

function isMask(extension: unknown): extension is MessageMask {
  return (
    typeof extension === 'object' &&
    extension !== null &&
    'mask' in extension &&
    typeof extension.mask === 'function'
  );
}
