import type { ClientProtocol, ClientRequest, TurnContext } from '../client-protocol.ts';
import { normaliseResponsesRequest } from './normalise-responses-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import type { ResponseOptions } from './response-options.ts';
import { responsesAnswer } from './responses-answer.ts';
import { responsesConversation } from './responses-conversation.ts';
import { responsesError } from './responses-errors.ts';
import { responsesToChat } from './responses-to-chat.ts';
import { ResponsesWriter } from './responses-writer.ts';

/**
 * OpenAI's Responses, in front of an upstream that speaks them or Chat Completions. `nextId` makes an id that
 * begins with its prefix.
 */
export function createResponsesProtocol(nextId: (prefix: string) => string): ClientProtocol {
  const optionsFor = (request: ClientRequest, context: TurnContext): ResponseOptions => ({
    request,
    requestId: context.requestId,
    wallTime: context.wallTime,
    nextId,
  });
  return {
    name: 'responses',
    read: readResponsesRequest,
    translate: ({ body }, target, rules) =>
      target === 'responses'
        ? normaliseResponsesRequest(body, rules)
        : responsesToChat(body, rules),
    conversation: responsesConversation,
    createWriter: (request, context) => new ResponsesWriter(optionsFor(request, context)),
    answer: (events, frame, request, context) =>
      responsesAnswer(events, frame, optionsFor(request, context)),
    error: responsesError,
    keepAlive: ': keep-alive\n\n',
  };
}
