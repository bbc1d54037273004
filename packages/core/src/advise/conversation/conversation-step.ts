import type { JsonObject } from '../../types.ts';

/** What a message says, in the one shape that all of them reduce to. */
export type ConversationStep = CallStep | ResultStep | { readonly type: 'text' | 'user' };

export interface CallStep {
  readonly type: 'call';
  readonly id: string | undefined;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface ResultStep {
  readonly type: 'result';
  /** The id of the call it answers. */
  readonly id: string | undefined;
  /** The name of the tool, where the message repeats it. */
  readonly tool: string | undefined;
  readonly output: string;
  /** The host's own flag, where it has one. */
  readonly isError: boolean | undefined;
  readonly exitCode: number | undefined;
}
