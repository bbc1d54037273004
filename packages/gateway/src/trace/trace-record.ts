import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@holdfast/core';
import type { TurnError } from '../proxy/turn/turn-error.ts';
import type { TurnIssue } from '../proxy/turn/turn-notes.ts';
import type { Usage } from '../proxy/turn/usage.ts';

/** What is traced of a turn, secrets and all: `TraceWriter` takes them out. */
export interface TraceRecord {
  readonly id: string;
  readonly request: {
    /** What the client speaks. */
    readonly protocol: string;
    readonly model: string;
    readonly path: string;
    readonly headers: Readonly<IncomingHttpHeaders>;
    readonly body: JsonObject;
  };
  readonly upstream: {
    readonly name: string;
    readonly url: string;
    /** Undefined where it did not answer. */
    readonly status: number | undefined;
  };
  readonly response: {
    readonly status: number;
    readonly text: string;
    readonly reasoning: string;
    readonly tool_calls: readonly TracedCall[];
    readonly finish_reason: string | undefined;
    /** The dialects calls were read in; `native` for those the upstream read. */
    readonly format: readonly string[];
    readonly repairs: readonly string[];
    readonly issues: readonly TurnIssue[];
    readonly usage: Usage | undefined;
    readonly error?: TurnError;
  };
  /** What the model was told about tools that keep failing, where it was. */
  readonly advice?: string;
  readonly durationMs: number;
}

/** A call as the client was told of it. */
export interface TracedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}
