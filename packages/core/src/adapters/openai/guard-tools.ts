import { isRecord } from '../../advise/conversation/record.ts';
import type { ToolOutcome } from '../../call/tool-outcome.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { outcomeText } from '../guarding/outcome-text.ts';
import { ToolFailedError } from '../guarding/tool-failed-error.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import { checkToolSettings } from '../guarding/tool-settings.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { valueOfOutcome } from '../guarding/value-of-outcome.ts';
import { readObject } from '../wire/json-fields.ts';

type ToolFunction = (...args: readonly unknown[]) => unknown;

interface Runnable {
  readonly name: string;
  readonly run: ToolFunction;
  /** The tool, with another function in place of its own. */
  readonly with: (run: ToolFunction) => object;
}

/**
 * The tools of `runTools` behind timeout, circuit and retry. What fails is returned as a text for the model,
 * as the SDK ends the whole run where a function throws: what happened, and what to do next.
 */
export function guardTools<Tools extends readonly object[]>(
  tools: Tools,
  options: ToolGuardOptions = {},
): Tools {
  const runnables = tools.flatMap((tool) => runnableOf(tool) ?? []);
  checkToolSettings(
    options,
    runnables.map(({ name }) => name),
  );
  return guardSome(tools, options);
}

/** The same, with settings that may also be those of tools that are not there. */
export function guardSome<Tools extends readonly object[]>(
  tools: Tools,
  options: ToolGuardOptions,
): Tools {
  const runnables = tools.map(runnableOf);
  const names = runnables.flatMap((runnable) =>
    runnable === undefined ? [] : { name: runnable.name },
  );
  const guard = new ToolGuard(names, options);
  const guarded = tools.map((tool, at) => {
    const runnable = runnables[at];
    return runnable === undefined ? tool : runnable.with(guardedBy(guard, runnable));
  });
  return guarded as readonly object[] as Tools;
}

const guardedBy =
  (guard: ToolGuard, { name, run }: Runnable): ToolFunction =>
  async (...args) => {
    const [given, runner] = args;
    const known = typeof given === 'string' ? (readObject(given) ?? given) : given;
    return textOfOutcome(await guard.run(name, known, () => run(...args), signalOf(runner)));
  };

function textOfOutcome(outcome: ToolOutcome): unknown {
  try {
    return valueOfOutcome(outcome);
  } catch (error) {
    if (error instanceof ToolFailedError && !outcome.ok) return outcomeText(outcome);
    throw error;
  }
}

/** A tool as one of the SDK's three ways to write it has it; undefined for one without a function. */
function runnableOf(tool: object): Runnable | undefined {
  const { function: called, $callback: callback } = tool as {
    readonly function?: unknown;
    readonly $callback?: unknown;
  };
  if (!isRecord(called)) return undefined;
  const { name, function: own } = called;
  // Made by `zodFunction`.
  if (typeof callback === 'function' && typeof name === 'string')
    return {
      name,
      run: callback as ToolFunction,
      with: (run) => cloneWith(tool, { $callback: run }),
    };
  if (typeof own !== 'function') return undefined;
  const known = typeof name === 'string' && name !== '' ? name : own.name;
  return {
    name: known,
    run: own as ToolFunction,
    with: (run) => cloneWith(tool, { function: cloneWith(called, { name: known, function: run }) }),
  };
}

function signalOf(runner: unknown): AbortSignal | undefined {
  const controller = isRecord(runner) ? runner['controller'] : undefined;
  return controller instanceof AbortController ? controller.signal : undefined;
}
