import type { JsonObject } from '@holdfast/core';
import type { FinishReason } from './finish-reason.ts';
import type { TurnError } from './turn-error.ts';
import type { Usage } from './usage.ts';

/**
 * What an upstream says, whatever protocol it speaks. Its framing is right by then: `slot` tells native calls
 * apart even where the upstream's own index does not, and `json` is text even where it sent an object.
 * `choice` is 0 but for clients that ask for several answers at once.
 */
export type UpstreamEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly created?: number;
    }
  | { readonly type: 'text'; readonly choice: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly choice: number; readonly text: string }
  | {
      /** Part of a native call. */
      readonly type: 'call-fragment';
      readonly choice: number;
      /** Counts the native calls of a choice from 0, in the order in which they begin. */
      readonly slot: number;
      /** Told once, with the first fragment or later; a missing one is made up when the call is told. */
      readonly id?: string;
      readonly name?: string;
      /** The next characters of the arguments, which may be broken JSON. */
      readonly json?: string;
    }
  | {
      /** Content that only one protocol has, such as a signature or a citation: passed on where it is spoken. */
      readonly type: 'opaque';
      readonly choice: number;
      readonly content: JsonObject;
      /** The call that the content is part of, where the client runs its tool; `text` says the same in words. */
      readonly call?: { readonly tool: string; readonly text: string };
    }
  | {
      readonly type: 'finish';
      readonly choice: number;
      readonly reason: FinishReason;
      readonly stopSequence?: string;
    }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The upstream says that this is all, as `[DONE]` and `message_stop` do. */
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly error: TurnError };

/** Some events that came together: an event of a stream, or a whole answer. */
export interface UpstreamFrame {
  readonly events: readonly UpstreamEvent[];
  /** The payload as it came, so that what needs no change is passed on as it is. */
  readonly data: string;
  /** The name of the event, in a stream that names them. */
  readonly eventName?: string;
  /** The payload, read; undefined for what is no JSON object, such as `[DONE]`. */
  readonly body: JsonObject | undefined;
}
