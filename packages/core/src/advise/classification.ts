import type { FailureClass } from '../internal/failure-class.ts';
import type { FailureParent, FailureType } from '../internal/failure-types.ts';
import type { JsonObject } from '../types.ts';

export type { FailureParent, FailureType } from '../internal/failure-types.ts';

/** What a tool's output is: it decides how far its text may be believed. */
export type ToolKind =
  /** Returns content that may speak of errors: files, search hits, logs, rows. */
  | 'reader'
  | 'shell'
  /** Returns the answer of a protocol: what its body says of success counts. */
  | 'api'
  | 'edit';

/** Everything a host may know of how a call ended. All of it is optional: hosts differ. */
export interface ToolResult {
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** What the model gets to see. */
  readonly output?: string;
  /** The host's own flag: MCP `isError`, a failure event, a thrown error. */
  readonly isError?: boolean;
  readonly exitCode?: number;
  /** `SIGKILL`, … */
  readonly signal?: string;
  /** HTTP status. */
  readonly status?: number;
  /** What the tool threw. */
  readonly error?: unknown;
  /** What guard made of it. */
  readonly failureClass?: FailureClass;
  /** Why the call never ran. */
  readonly notRun?: 'denied' | 'cancelled' | 'unknown-tool';
  readonly durationMs?: number;
}

/** What became of a call. */
export interface Classification {
  /** `unknown`: nothing says. `neutral`: it neither worked nor failed, as when it was cancelled. */
  readonly status: 'success' | 'failure' | 'unknown' | 'neutral';
  /** Undefined unless it failed or is neutral. */
  readonly type: FailureType | undefined;
  readonly parent: FailureParent | undefined;
  /** 0 to 1. Below 0.7 nothing is vetoed on it. */
  readonly confidence: number;
  /** The one line it was seen in, at most 200 characters, or ''. Not to be trusted: it is the tool's text. */
  readonly evidence: string;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
}
