import type { ClientProtocol, ClientRequest, TurnContext } from '../client-protocol.ts';
import { countTokens } from '../count-tokens.ts';
import type { MessageOptions } from './message-frame.ts';
import { messagesAnswerText } from './messages-answer.ts';
import { messagesConversation } from './messages-conversation.ts';
import { messagesErrorAnswer } from './messages-errors.ts';
import { MESSAGES_PING } from './messages-event.ts';
import { messagesToChat } from './messages-to-chat.ts';
import { MessagesWriter } from './messages-writer.ts';
import { normaliseMessagesRequest } from './normalise-messages-request.ts';
import { messagesOfferedNames, readMessagesRequest } from './read-messages-request.ts';
import { refuseThread } from './refuse-thread.ts';

/** Anthropic's Messages, in front of an upstream that speaks them or Chat Completions. */
export function createMessagesProtocol(nextMessageId: () => string): ClientProtocol {
  const optionsFor = (request: ClientRequest, { requestId }: TurnContext): MessageOptions => ({
    model: request.model,
    nextMessageId,
    inputTokens: countTokens(request.body),
    requestId,
  });
  return {
    name: 'messages',
    read: (value, rules) => refuseThread(value) ?? readMessagesRequest(value, rules),
    offeredNames: messagesOfferedNames,
    translate: ({ body }, target, rules) =>
      target === 'messages' ? normaliseMessagesRequest(body, rules) : messagesToChat(body, rules),
    reportsUsage: () => true,
    conversation: messagesConversation,
    createWriter: (request, context) => new MessagesWriter(optionsFor(request, context)),
    answer: (events, frame, request, context) =>
      messagesAnswerText(events, frame, optionsFor(request, context)),
    error: messagesErrorAnswer,
    keepAlive: MESSAGES_PING,
  };
}
