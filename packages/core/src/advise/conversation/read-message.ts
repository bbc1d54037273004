import type { ConversationStep } from './conversation-step.ts';
import { readChatMessage } from './read-chat-message.ts';
import { readResponsesItem } from './read-responses-item.ts';
import { isRecord } from './record.ts';

/** What one message says, told by its shape; nothing where it has none that is known. */
export function readMessage(message: unknown): readonly ConversationStep[] {
  if (!isRecord(message)) return [];
  return readResponsesItem(message) ?? readChatMessage(message);
}
