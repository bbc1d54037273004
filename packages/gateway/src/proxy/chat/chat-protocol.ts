import type { ClientProtocol, ClientRequest, TurnContext } from '../client-protocol.ts';
import { objectOf } from '../json/json-fields.ts';
import { writeJson } from '../json/large-json.ts';
import { callShapeOf } from './call-shape.ts';
import { chatAnswerBody } from './chat-answer.ts';
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
  answer: (events, frame, request, context) => {
    const identity = identityOf(request, context);
    const body = chatAnswerBody(events, frame, identity, callShapeOf(request.body));
    if (typeof body === 'string') return body;
    return events.length > MANY_EVENTS ? writeJson(body) : JSON.stringify(body);
  },
  error: chatError,
  keepAlive: ': keep-alive\n\n',
};

/** A response of more events is written in steps. */
const MANY_EVENTS = 5000;

function identityOf({ model }: ClientRequest, { requestId, wallTime }: TurnContext): ChatIdentity {
  return { id: `chatcmpl-${requestId}`, model, created: Math.floor(wallTime / 1000) };
}
