import type { UpstreamProtocol } from '../config/gateway-config.ts';
import { readChatAnswer } from './chat/read-chat-answer.ts';
import { ChatStreamReader } from './chat/read-chat-stream.ts';
import type { UpstreamSpeech } from './client-protocol.ts';
import { readMessagesAnswer } from './messages/read-messages-answer.ts';
import { MessagesStreamReader } from './messages/read-messages-stream.ts';
import { readResponsesAnswer } from './responses/read-responses-answer.ts';
import { ResponsesStreamReader } from './responses/read-responses-stream.ts';

/** What upstreams can be asked in. */
export const SPEECHES: Readonly<Record<UpstreamProtocol, UpstreamSpeech>> = {
  chat: {
    path: '/chat/completions',
    createReader: (maxBytes) => new ChatStreamReader(maxBytes),
    readAnswer: readChatAnswer,
  },
  messages: {
    path: '/messages',
    createReader: (maxBytes) => new MessagesStreamReader(maxBytes),
    readAnswer: readMessagesAnswer,
  },
  responses: {
    path: '/responses',
    createReader: (maxBytes) => new ResponsesStreamReader(maxBytes),
    readAnswer: readResponsesAnswer,
  },
};
