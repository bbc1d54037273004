import type { ToolCall } from '../types.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ParseStep } from './parse-result.ts';

/** Where the engine puts what it reads: a collector for whole texts, an event callback for streams. */
export interface ParseSink {
  text(text: string): void;
  reasoning(text: string, raw: string): void;
  /** Control tokens that are no text, no reasoning and no call. */
  markup(raw: string): void;
  callStart(index: number, id: string, name: string, format: string): void;
  callDelta(index: number, id: string, fragment: string): void;
  /** All calls of one block, with its source. */
  calls(firstIndex: number, calls: readonly ToolCall[], raw: string): void;
  issue(issue: ParseIssue): void;
  /** Present when the caller wants to know why. */
  readonly step?: ((step: ParseStep) => void) | undefined;
  /** Whether `callStart` and `callDelta` are wanted at all. */
  readonly wantsDeltas: boolean;
}
