import type { ClientProtocol, ClientRequest, OwnerOf, TurnContext } from '../client-protocol.ts';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { ItemMemory } from './item-memory.ts';
import { normaliseResponsesRequest } from './normalise-responses-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import { responsesOfferedNames } from './request-tools.ts';
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
export function createResponsesProtocol(
  nextId: (prefix: string) => string,
  memory: ItemMemory = new ItemMemory(),
): ClientProtocol {
  const optionsFor = (request: ClientRequest, context: TurnContext): ResponseOptions => ({
    request,
    requestId: context.requestId,
    wallTime: context.wallTime,
    nextId,
    onOutput: (output) => {
      if (request.body['store'] !== false) memory.remember(context.ownerOf(request.model), output);
    },
  });
  return {
    name: 'responses',
    read: (value, rules, ownerOf) => readResponsesRequest(withItems(value, memory, ownerOf), rules),
    offeredNames: responsesOfferedNames,
    translate: ({ body }, target, rules) =>
      target === 'responses'
        ? normaliseResponsesRequest(body, rules)
        : responsesToChat(body, rules),
    reportsUsage: () => true,
    conversation: responsesConversation,
    createWriter: (request, context) => new ResponsesWriter(optionsFor(request, context)),
    answer: (events, frame, request, context) =>
      responsesAnswer(events, frame, optionsFor(request, context)),
    error: responsesError,
    keepAlive: ': keep-alive\n\n',
  };
}

/** The request with the items that it only names. */
function withItems(value: unknown, memory: ItemMemory, ownerOf: OwnerOf): unknown {
  if (!isObject(value) || !Array.isArray(value['input'])) return value;
  const named = listOf(value['input']);
  const input = memory.resolve(() => ownerOf(textOf(value['model'])), named);
  return input === named ? value : { ...value, input };
}
