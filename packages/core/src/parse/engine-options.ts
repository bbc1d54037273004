import type { MonotonicClock } from '../internal/clock.ts';
import type { Grammar } from './grammar.ts';
import type { ParseLimits } from './limits.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { ParseOptions } from './parse-options.ts';

export interface EngineOptions {
  readonly grammar: Grammar;
  readonly limits: ParseLimits;
  readonly clock: MonotonicClock;
  readonly nextId: () => string;
  readonly tools: OfferedTools | undefined;
  /** Whether the offered tools prove calls that have no markup. */
  readonly bareCalls: boolean;
  /** Name of the parser that goes first where several claim an opening. */
  readonly preferred: string | undefined;
  readonly startsInReasoning: boolean;
  readonly separatesReasoning: boolean;
  readonly callsInReasoning: NonNullable<ParseOptions['callsInReasoning']>;
  readonly unknownTool: NonNullable<ParseOptions['unknownTool']>;
  readonly keepsIncomplete: boolean;
}
