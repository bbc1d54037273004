import type { Advice, AdvicePart } from '@holdfast/core/advise';
import { ADVICE_PREFIX, Advisor } from '@holdfast/core/advise';
import type { AdvisorSettings } from '../../config/advisor-schema.ts';
import type { HookAnswer, HookEvent, HookMoment } from './hook-host.ts';
import type { HookMemory } from './hook-memory.ts';
import { MEMORY_BOUNDS } from './hook-memory.ts';

/** What is remembered after a moment, and what is said at it. */
export interface Folded {
  readonly memory: HookMemory;
  /** Undefined where there is nothing to say. */
  readonly answer: HookAnswer | undefined;
}

/** Takes what happened into the memory of a conversation, and finds what is to be said now. */
export function foldMoment(
  memory: HookMemory,
  { events, canSpeak }: Pick<HookMoment, 'events' | 'canSpeak'>,
  mayVeto: boolean,
  settings: AdvisorSettings = {},
): Folded {
  const last = events.at(-1);
  // Of several events only the last is now: what ran long ago cannot be stopped.
  if (mayVeto && last?.kind === 'before') {
    const earlier = foldEvents(memory, events.slice(0, -1), settings);
    const advisor = Advisor.restore(earlier.advisor, { ...settings, veto: 'on' });
    const { veto, advice } = advisor.before(last.call);
    const now = {
      ...earlier,
      advisor: advisor.state,
      waiting: withAdvice(earlier.waiting, advice),
    };
    // One message for a moment: what waits can wait until the next.
    if (veto !== undefined) return { memory: now, answer: { veto: veto.text } };
    return speak(now, canSpeak);
  }
  return speak(foldEvents(memory, events, settings), canSpeak);
}

/** Takes what happened into the memory of a conversation. What there is to say about it waits. */
export function foldEvents(
  memory: HookMemory,
  events: readonly HookEvent[],
  settings: AdvisorSettings = {},
): HookMemory {
  const advisor = Advisor.restore(memory.advisor, settings);
  let { seen, waiting } = memory;
  for (const event of events) {
    switch (event.kind) {
      case 'before':
        waiting = withAdvice(waiting, advisor.before(event.call).advice);
        break;
      case 'after': {
        const id = event.call.id?.slice(0, MOST_OF_AN_ID);
        if (id !== undefined && seen.includes(id)) break;
        if (id !== undefined) seen = [...seen, id].slice(-MEMORY_BOUNDS.seen);
        waiting = withAdvice(waiting, advisor.after(event.call, event.result).advice);
        break;
      }
      case 'user-spoke':
        advisor.userSpoke();
        // It was about what the model did before the user said what to do now.
        waiting = [];
        break;
    }
  }
  return { advisor: advisor.state, seen, waiting };
}

/** No host has longer ones; what is kept stays bounded whatever it sends. */
const MOST_OF_AN_ID = 200;

/** Newer advice stands in for older of the same rule. */
function withAdvice(
  waiting: readonly AdvicePart[],
  advice: Advice | undefined,
): readonly AdvicePart[] {
  if (advice === undefined) return waiting;
  const rules = new Set(advice.parts.map(({ rule }) => rule));
  const others = waiting.filter(({ rule }) => !rules.has(rule));
  return [...others, ...advice.parts].slice(-MEMORY_BOUNDS.waiting);
}

function speak(memory: HookMemory, canSpeak: boolean): Folded {
  if (!canSpeak || memory.waiting.length === 0) return { memory, answer: undefined };
  const advice = ADVICE_PREFIX + memory.waiting.map(({ text }) => text).join('\n');
  return { memory: { ...memory, waiting: [] }, answer: { advice } };
}
