import type { JsonObject, Repair } from '@holdfast/core';
import type { UpstreamEvent } from './upstream-event.ts';

/** A call that is complete and valid JSON: the client may run it. */
export interface TurnCall {
  /** Counts the calls of a choice from 0, without gaps. */
  readonly index: number;
  /** Never empty, and no other call of the turn has it. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** `arguments` as text; `{}` where there are none. */
  readonly json: string;
  /** Who read it: a dialect of Holdfast, or the upstream (`native`). */
  readonly format: string;
  readonly repairs: readonly Repair[];
  /** What does not fit the schema of its tool, in words for the model; undefined where all does. */
  readonly problem?: string;
}

/**
 * What a client is told, whatever protocol it speaks. What needed no change is the upstream's own event, the
 * very same object, by which a writer sees that the frame it came in can be passed on as it is.
 */
export type TurnEvent =
  | Exclude<UpstreamEvent, { type: 'call-fragment' }>
  | { readonly type: 'call'; readonly choice: number; readonly call: TurnCall }
  /** The three below replace `call` in eager mode. */
  | {
      readonly type: 'call-start';
      readonly choice: number;
      readonly index: number;
      readonly id: string;
      readonly name: string;
    }
  | {
      readonly type: 'call-delta';
      readonly choice: number;
      readonly index: number;
      readonly json: string;
    }
  | { readonly type: 'call-end'; readonly choice: number; readonly index: number };
