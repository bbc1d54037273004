import type { JsonObject } from '@holdfast/core';
import { adviseConversation } from '@holdfast/core/advise';
import type { AdviseConversationOptions } from '@holdfast/core/advise';
import type { ConversationEditor } from '../conversation-editor.ts';

/** A request with advice in it. */
export interface AdvisedRequest {
  readonly body: JsonObject;
  /** Why there is advice, each rule once. */
  readonly rules: readonly string[];
  /** What was said, on one line. */
  readonly log: string;
}

/**
 * Adds the advice that the conversation of a request calls for, on the result that gave rise to it; undefined
 * where none is due, and where anything fails: a request never waits for advice.
 */
export function adviseRequest(
  body: JsonObject,
  editor: ConversationEditor,
  options: AdviseConversationOptions = {},
): AdvisedRequest | undefined {
  try {
    const { advice, messageIndex, call } = adviseConversation(editor.messages(body), options);
    if (advice === undefined || messageIndex === undefined) return undefined;
    const place = { messageIndex, callId: call?.id };
    const advised =
      editor.addToResult(body, place, advice.text) ?? editor.addNote(body, advice.text);
    if (advised === undefined) return undefined;
    const rules = [...new Set(advice.parts.map(({ rule }) => rule))];
    return { body: advised, rules, log: advice.log };
  } catch {
    return undefined;
  }
}
