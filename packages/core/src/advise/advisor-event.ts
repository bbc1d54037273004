import type { AdviceRule } from './advice.ts';

/** What the advisor does. The library writes nothing itself; `formatAdvisorEvent` makes lines of these. */
export type AdvisorEvent =
  | {
      readonly type: 'advice-given';
      readonly tool: string;
      readonly rules: readonly AdviceRule[];
      /** `[Fallback] …`, on one line. */
      readonly log: string;
    }
  | {
      readonly type: 'call-vetoed';
      readonly tool: string;
      readonly rule: AdviceRule;
      readonly log: string;
    }
  | {
      /** The advisor itself went wrong. The tool call goes on. */
      readonly type: 'advisor-failed';
      readonly at: 'before' | 'after' | 'classify';
      readonly error: unknown;
    };

/** Is told what an advisor notices and says. */
export type AdvisorEventListener = (event: AdvisorEvent) => void;

/** An event as one line of a log. */
export function formatAdvisorEvent(event: AdvisorEvent): string {
  if (event.type !== 'advisor-failed') return event.log;
  const { error } = event;
  const why = error instanceof Error ? error.message : typeof error;
  return `[Fallback] the advisor failed in ${event.at}: ${why.replace(/\s+/g, ' ')}`;
}
