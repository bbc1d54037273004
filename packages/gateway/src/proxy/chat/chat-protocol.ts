import type { ClientProtocol, ClientRequest, TurnContext } from '../client-protocol.ts';
import { objectOf } from '../json/json-fields.ts';
import { callShapeOf } from './call-shape.ts';
import { chatAnswer } from './chat-answer.ts';
import type { ChatIdentity } from './chat-envelope.ts';
import { chatConversation } from './chat-conversation.ts';
import { chatError } from './chat-errors.ts';
import { ChatWriter } from './chat-writer.ts';
import { normaliseChatRequest } from './normalise-chat-request.ts';
import { chatOfferedNames, readChatRequest } from './read-chat-request.ts';

/** OpenAI's Chat Completions, mended in place. */
export const chatProtocol: ClientProtocol = {
  name: 'chat',
  read: readChatRequest,
  offeredNames: chatOfferedNames,
  translate: ({ body }, _, rules) => normaliseChatRequest(body, rules),
  reportsUsage: ({ body, stream }) =>
    !stream || objectOf(body['stream_options'])['include_usage'] === true,
  conversation: chatConversation,
  createWriter: (request, context) =>
    new ChatWriter(identityOf(request, context), callShapeOf(request.body)),
  answer: (events, frame, request, context) =>
    chatAnswer(events, frame, identityOf(request, context), callShapeOf(request.body)),
  error: chatError,
  keepAlive: ': keep-alive\n\n',
};

function identityOf({ model }: ClientRequest, { requestId, wallTime }: TurnContext): ChatIdentity {
  return { id: `chatcmpl-${requestId}`, model, created: Math.floor(wallTime / 1000) };
}
