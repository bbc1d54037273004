import type { Advice } from '../../advise/advice.ts';
import type { AnswerCall } from './answer-call.ts';

/** What was done to a request or an answer, for those who want to know. */
export type MendEvent =
  /** A call was read out of the text, or taken over from the server. */
  | { readonly type: 'call-read'; readonly call: AnswerCall }
  /** Something was not what it looked like; no text was lost over it. */
  | { readonly type: 'issue-found'; readonly code: string; readonly message: string }
  /** The model was told what to do about calls that keep failing. */
  | { readonly type: 'advice-added'; readonly advice: Advice };

/** Is told what was read and mended. */
export type MendEventListener = (event: MendEvent) => void;
