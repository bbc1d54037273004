import type { Repair } from '@holdfast/core';
import type { SeenStart } from '../reasoning/reasoning-starts.ts';

/** Something a person may want to know of a turn; it is logged, and nothing was lost over it. */
export interface TurnIssue {
  readonly code: string;
  readonly message: string;
}

/** What is known of a turn besides its content: for response headers, logs and traces. */
export class TurnNotes {
  /** The dialects calls were read in; `native` for those the upstream read. */
  readonly formats: Set<string> = new Set();
  readonly repairs: Set<Repair> = new Set();
  readonly issues: TurnIssue[] = [];
  callCount = 0;
  /** What the text showed of where it began. */
  start: SeenStart | undefined;

  /** Of several choices, one that ends reasoning counts. */
  noteStart(seen: SeenStart | undefined): void {
    if (this.start !== 'orphan-end') this.start = seen ?? this.start;
  }

  report(code: string, message: string): void {
    if (this.issues.length < MOST_ISSUES) this.issues.push({ code, message });
  }
}

/** A text full of what looks like calls would fill the memory with them. */
const MOST_ISSUES = 50;
