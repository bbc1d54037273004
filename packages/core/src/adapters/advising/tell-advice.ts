import { adviseConversation } from '../../advise/conversation/advise-conversation.ts';
import type { ConversationAdvice } from '../../advise/conversation/conversation-advice.ts';
import type { ToolDefinition } from '../../types.ts';
import { tellQuietly } from '../reading/answer-reader.ts';
import type { MendOptions } from '../reading/mend-options.ts';

/** A result that advice belongs to. */
export interface AdvisedResult {
  /** Which of the messages it is in. */
  readonly messageIndex: number;
  /** The id of the call it answers; undefined where the messages have none. */
  readonly callId: string | undefined;
}

/**
 * What a request becomes with the advice that its conversation calls for. `put` adds a text to a result and
 * returns undefined where it cannot. The request itself where nothing is to be said, and where anything
 * fails: no request waits for advice.
 */
export function tellAdvice<Request>(
  request: Request,
  messages: readonly unknown[],
  tools: readonly ToolDefinition[],
  options: MendOptions,
  put: (place: AdvisedResult, text: string) => Request | undefined,
): Request {
  if (options.advice === false) return request;
  try {
    const { advice, messageIndex, call } = lookAt(messages, tools, options.advice);
    if (advice === undefined || messageIndex === undefined) return request;
    const advised = put({ messageIndex, callId: call?.id }, advice.text);
    if (advised === undefined) return request;
    tellQuietly(options, { type: 'advice-added', advice });
    return advised;
  } catch {
    return request;
  }
}

function lookAt(
  messages: readonly unknown[],
  tools: readonly ToolDefinition[],
  options: Exclude<MendOptions['advice'], false> = {},
): ConversationAdvice {
  const toolNames = tools.map(({ name }) => name);
  return adviseConversation(messages, { toolNames, ...options });
}
