import { isRecord } from '../../advise/conversation/record.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import { checkToolSettings } from '../guarding/tool-settings.ts';
import type { ToolGuardOptions, ToolSettings } from '../guarding/tool-settings.ts';
import { valueOfOutcome } from '../guarding/value-of-outcome.ts';
import { isAsyncIterable, lastOf, Yielded } from './yielded.ts';

/** How the tools of `guardTools` are run. */
export interface GuardToolsOptions<Name extends string = string> extends Omit<
  ToolGuardOptions,
  'toolSettings'
> {
  /** What is known of single tools: whether they only read, how long they may take. @defaultValue nothing */
  readonly toolSettings?: Readonly<Partial<Record<Name, ToolSettings>>>;
}

type Execute = (input: unknown, options: unknown) => unknown;

/**
 * The tools of `generateText` and `streamText` behind timeout, circuit and retry. What fails is thrown with a
 * message for the model, which the SDK hands on to it: what happened, and what to do next.
 */
export function guardTools<Tools extends object>(
  tools: Tools,
  options: GuardToolsOptions<Extract<keyof Tools, string>> = {},
): Tools {
  const entries = Object.entries(tools) as [string, unknown][];
  const guarded = entries.flatMap(([name, tool]) => (hasExecute(tool) ? [{ name, tool }] : []));
  const names = guarded.map(({ name, tool }) => ({
    name,
    ...(isGenerator(tool.execute) && NO_RETRY),
  }));
  const guardOptions = options as ToolGuardOptions;
  checkToolSettings(
    guardOptions,
    names.map(({ name }) => name),
  );
  const guard = new ToolGuard(names, guardOptions);
  const changes = guarded.map(({ name, tool }) => {
    const run = isGenerator(tool.execute) ? runGenerator : runOnce;
    const execute: Execute = (input, context) => tool.execute(input, context);
    const own = (input: unknown, context: unknown): unknown =>
      run(guard, name, execute, input, context);
    return [name, cloneWith(tool, { execute: own })] as const;
  });
  return cloneWith(tools, Object.fromEntries(changes));
}

/** Values that were seen cannot be taken back by another attempt. */
const NO_RETRY = { retry: false } as const;

async function runOnce(
  guard: ToolGuard,
  name: string,
  execute: Execute,
  input: unknown,
  options: unknown,
): Promise<unknown> {
  const work = async (context: { readonly signal: AbortSignal }): Promise<unknown> => {
    const value = await execute(input, withSignal(options, context));
    // A function that returns what a generator would: what it yields last is its value.
    return isAsyncIterable(value) ? lastOf(value) : value;
  };
  return valueOfOutcome(await guard.run(name, input, work, signalOf(options)));
}

/** What the tool yields is seen as it comes; what became of the call is known behind it. */
async function* runGenerator(
  guard: ToolGuard,
  name: string,
  execute: Execute,
  input: unknown,
  options: unknown,
): AsyncGenerator {
  const yielded = new Yielded();
  const work = (context: { readonly signal: AbortSignal }): unknown =>
    yielded.follow(execute(input, withSignal(options, context)));
  const outcome = guard.run(name, input, work, yielded.signalWith(signalOf(options)));
  void outcome.then(() => yielded.close());
  try {
    yield* yielded.values();
    valueOfOutcome(await outcome);
  } finally {
    yielded.stop();
  }
}

function hasExecute(tool: unknown): tool is { execute: Execute } {
  return isRecord(tool) && typeof tool['execute'] === 'function';
}

function isGenerator(execute: Execute): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
}

function signalOf(options: unknown): AbortSignal | undefined {
  const signal = isRecord(options) ? options['abortSignal'] : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** The SDK's own options, with a signal that is also aborted when the time is up. */
function withSignal(options: unknown, context: { readonly signal: AbortSignal }): object {
  return {
    ...(isRecord(options) ? options : {}),
    get abortSignal() {
      return context.signal;
    },
  };
}
