import type { ToolCall } from '../types.ts';
import type { ParseIssue } from './parse-issue.ts';

/**
 * What a stream tells, in the order of the text. `text-delta.text`, `reasoning-delta.raw`, `markup.raw` and
 * `call-end.raw` put together are the input, character for character.
 */
export type ParseEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | {
      readonly type: 'reasoning-delta';
      readonly text: string;
      /** The source of `text`: its tags too, which `text` leaves out. */
      readonly raw: string;
    }
  /** Control tokens around text and calls, such as `<|channel|>final<|message|>`. */
  | { readonly type: 'markup'; readonly raw: string }
  | {
      /**
       * A call has begun. Until its `call-end` it may still turn out to be text: then an issue with the
       * code `call-abandoned` names its id, and the text follows.
       */
      readonly type: 'call-start';
      /** Counts the calls of the message from 0. */
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly format: string;
    }
  | {
      readonly type: 'call-delta';
      readonly index: number;
      readonly id: string;
      /** A fragment of JSON; all fragments of a call together are its arguments. */
      readonly fragment: string;
    }
  | {
      readonly type: 'call-end';
      readonly index: number;
      readonly call: ToolCall;
      /** The source of the call, markers included. Calls written in one block share it: the first has it, the others have ''. */
      readonly raw: string;
    }
  | { readonly type: 'issue'; readonly issue: ParseIssue };
