import type { ToolCall } from '../types.ts';
import type { ParseIssue } from './parse-issue.ts';

/** A stretch of the input. All `raw` put together are the input. */
export type Segment =
  | { readonly type: 'text'; readonly raw: string }
  | { readonly type: 'reasoning'; readonly raw: string; readonly text: string }
  /** Control tokens around text and calls. */
  | { readonly type: 'markup'; readonly raw: string }
  | { readonly type: 'calls'; readonly raw: string; readonly calls: readonly ToolCall[] };

/** What a text held: calls, and all the rest of it as it was written. */
export interface ParseResult {
  readonly calls: readonly ToolCall[];
  /** All text outside calls and reasoning, as it was written. */
  readonly text: string;
  readonly reasoning: string;
  readonly issues: readonly ParseIssue[];
  readonly segments: readonly Segment[];
  /** Why, step by step; only with `explain: true`. */
  readonly explanation?: readonly ParseStep[];
}

/** One decision on the way to a result. */
export interface ParseStep {
  readonly parser: string;
  /** Where in the text. */
  readonly offset: number;
  /** The marker or text it began at. */
  readonly opening: string;
  readonly decision: 'call' | 'markup' | 'not-a-call' | 'skipped';
  /** What was read, or why nothing was. */
  readonly detail: string;
  readonly repairs: readonly string[];
}
