import type { JsonObject } from '@holdfast/core';
import type { PluginViolation } from './plugin.ts';
import type { HookCall, PluginTurn, Verdict } from './plugin-turn.ts';

/** How the plugins left what was passed through them. */
export interface Passed<Payload> {
  readonly payload: Payload;
  readonly violation?: PluginViolation;
  readonly metadata: JsonObject;
  readonly retryDelayMs?: number;
}

/**
 * Passes a payload through plugins that are in the order of their phases. The first violation ends it; so does
 * `isOver`, which is asked whenever there was something to wait for. `unawaited` gets what nobody waits for.
 */
export async function passPlugins<Payload>(
  turns: readonly PluginTurn[],
  call: HookCall<Payload>,
  given: Payload,
  means: { isOver(): boolean; unawaited(work: Promise<unknown>): void },
): Promise<Passed<Payload>> {
  let payload = given;
  let metadata: JsonObject = NO_METADATA;
  let retryDelayMs: number | undefined;
  const take = (verdict: Verdict<Payload>): void => {
    if (verdict.metadata !== undefined) metadata = { ...metadata, ...verdict.metadata };
    if (verdict.retryDelayMs !== undefined)
      retryDelayMs = Math.max(retryDelayMs ?? 0, verdict.retryDelayMs);
    if (verdict.payload !== undefined) payload = verdict.payload;
  };
  const end = (violation?: PluginViolation): Passed<Payload> => ({
    payload,
    metadata,
    ...(violation === undefined ? {} : { violation }),
    ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
  });

  for (const turn of turns) {
    const { phase } = turn.loaded.entry;
    if (phase === 'concurrent' || phase === 'fire_and_forget') break;
    const answer = turn.run(call, payload);
    const verdict = answer instanceof Promise ? await answer : answer;
    take(verdict);
    if (verdict.violation !== undefined || means.isOver()) return end(verdict.violation);
  }
  const together = turns.filter(({ loaded }) => loaded.entry.phase === 'concurrent');
  if (together.length > 0) {
    const refused = await firstViolation(together, call, payload, take);
    if (refused !== undefined || means.isOver()) return end(refused);
  }
  for (const turn of turns) {
    if (turn.loaded.entry.phase !== 'fire_and_forget') continue;
    const later = payload;
    // Behind whatever the call does next: it must not wait for a plugin that takes long to return.
    means.unawaited(Promise.resolve().then(() => turn.run(call, later)));
  }
  return end();
}

/** All at once: the first that objects decides, and the others are not waited for. */
function firstViolation<Payload>(
  turns: readonly PluginTurn[],
  call: HookCall<Payload>,
  payload: Payload,
  take: (verdict: Verdict<Payload>) => void,
): Promise<PluginViolation | undefined> {
  return new Promise((resolve) => {
    let waiting = turns.length;
    const heard = (verdict: Verdict<Payload>): void => {
      if (waiting > 0) take(verdict);
      waiting -= 1;
      if (verdict.violation !== undefined) {
        waiting = 0;
        resolve(verdict.violation);
      } else if (waiting === 0) resolve(undefined);
    };
    for (const turn of turns) {
      const answer = turn.run(call, payload);
      if (answer instanceof Promise) void answer.then(heard);
      else heard(answer);
      if (waiting <= 0) break;
    }
  });
}

const NO_METADATA: JsonObject = Object.freeze({});
