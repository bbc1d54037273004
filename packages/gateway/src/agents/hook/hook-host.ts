import type { JsonObject } from '@holdfast/core';
import type { AdvisedCall, ToolResult } from '@holdfast/core/advise';
import type { HostName } from '../host-name.ts';

/** What happened in a conversation, in the advisor's words. */
export type HookEvent =
  | { readonly kind: 'before'; readonly call: AdvisedCall }
  | { readonly kind: 'after'; readonly call: AdvisedCall; readonly result: ToolResult }
  /** What looked like a loop may be what is wanted now. */
  | { readonly kind: 'user-spoke' };

/** What one run of the hook is told. */
export interface HookMoment {
  /** Which conversation it is: the session, and the agent within it where there are several. */
  readonly conversation: string;
  /**
   * Oldest first. Those that the host kept to itself, and that were found elsewhere, stand before the one it tells
   * of; one that was told before, by the id of its call, is passed over.
   */
  readonly events: readonly HookEvent[];
  /** Whether what we print now reaches the model. Else advice waits for a moment at which it does. */
  readonly canSpeak: boolean;
}

/** What to tell the host: most of the time nothing. */
export interface HookAnswer {
  /** For the model. */
  readonly advice?: string;
  /** Why the call must not run, for the model. Only where the hook was asked to stop calls. */
  readonly veto?: string;
}

/** How an agent speaks to its hooks. It may throw: whoever asks it answers with `silence` then. */
export interface HookHost {
  readonly name: HostName;
  /** What is printed where there is nothing to say, and where anything at all went wrong. */
  readonly silence: string;
  /**
   * Whether it ends standard input behind the payload, and ends a hook that takes too long: then the payload may be
   * read at once, without a limit of our own.
   * @defaultValue false
   */
  readonly endsInput?: boolean;
  /** Undefined where the moment is none of ours. */
  read(payload: JsonObject): Promise<HookMoment | undefined>;
  /** What is printed. It is only asked where there is something to say. */
  write(payload: JsonObject, answer: HookAnswer): string;
}
