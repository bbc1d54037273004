import type { JsonValue } from '@holdfast/core';
import type { AdvisorSettings } from '../../config/advisor-schema.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import { foldEvents, foldMoment } from './fold-moment.ts';
import type { HookHost } from './hook-host.ts';
import type { HookStore } from './hook-store.ts';

export interface RunHookOptions {
  /** What keeps conversations. Not asked for before it is needed; it may throw. */
  readonly store: () => HookStore;
  /** Whether to stop calls that only repeat what failed. */
  readonly veto: boolean;
  /** When to speak, and what to say. @defaultValue as the library does */
  readonly settings?: () => Promise<AdvisorSettings>;
  /** How long it may take, in milliseconds. @defaultValue 2000 */
  readonly deadlineMs?: number;
  /** Is told what went wrong: the host is not. */
  readonly onProblem?: (problem: unknown) => void;
}

/** Hosts give a hook five seconds, and the user waits for each. */
export const HOOK_DEADLINE_MS = 2000;

/** What remains for writing, when waiting for others has come to its end. */
const TIME_TO_WRITE_MS = 300;

/**
 * Answers one run of the hook: what is to be printed. It never throws and never takes longer than the deadline;
 * whatever goes wrong, the host hears nothing and its call goes on.
 *
 * @param input - what the host wrote to standard input; the deadline covers the wait for it
 */
export async function runHook(
  host: HookHost,
  input: string | Promise<string>,
  options: RunHookOptions,
): Promise<string> {
  const { deadlineMs = HOOK_DEADLINE_MS, onProblem } = options;
  const until = Date.now() + deadlineMs - TIME_TO_WRITE_MS;
  const deadline = startDeadline(deadlineMs);
  try {
    return await Promise.race([answer(host, input, options, until), deadline.passed]);
  } catch (problem) {
    onProblem?.(problem);
    return host.silence;
  } finally {
    deadline.stop();
  }
}

/**
 * Counts the time in which this process could have worked: on a machine with more to do than it can, it may stand
 * still for seconds, and must not give up before it has looked at what is there already.
 */
function startDeadline(ms: number): { readonly passed: Promise<never>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    const wait = (steps: number): void => {
      if (steps === 0) reject(new Error(`no answer within ${ms} ms`));
      else timer = setTimeout(() => wait(steps - 1), ms / DEADLINE_STEPS);
    };
    wait(DEADLINE_STEPS);
  });
  return {
    passed,
    stop: () => {
      clearTimeout(timer);
    },
  };
}

const DEADLINE_STEPS = 20;

async function answer(
  host: HookHost,
  input: string | Promise<string>,
  { store, veto, settings }: RunHookOptions,
  until: number,
): Promise<string> {
  // Some shells and editors on Windows put a byte order mark before it.
  const payload = JSON.parse((await input).replace(/^\uFEFF/, '')) as JsonValue;
  if (!isObject(payload)) throw new Error('expected a JSON object on standard input');
  const moment = await host.read(payload);
  if (moment === undefined) return host.silence;
  const advisor = await settings?.();
  const said = await store().change(
    `${host.name} ${moment.conversation}`,
    moment.events,
    (memory, late) => {
      const before = late.length === 0 ? memory : foldEvents(memory, late, advisor);
      const { memory: after, answer: result } = foldMoment(before, moment, veto, advisor);
      return { memory: after, result };
    },
    until,
  );
  return said === undefined ? host.silence : host.write(payload, said);
}
