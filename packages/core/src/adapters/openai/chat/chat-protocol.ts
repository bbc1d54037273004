import { toolDefinitions } from '../../../internal/tool-definitions.ts';
import { isJsonObject } from '../../../parse/call-keys.ts';
import { requiresJson } from '../../reading/requires-json.ts';
import { listOf, objectOf, textOf } from '../../wire/json-fields.ts';
import type { WireProtocol } from '../../wire/wire-protocol.ts';
import { adviseChat } from './advise-chat.ts';
import { ChatEventMender } from './chat-event-mender.ts';
import { mendChatAnswer } from './mend-chat-answer.ts';

/** OpenAI's Chat Completions. */
export const chatProtocol: WireProtocol = {
  path: '/chat/completions',
  contextOf: (body) => ({
    model: textOf(body['model']),
    requiresJson: requiresJson(body),
    tools:
      body['tool_choice'] === 'none'
        ? []
        : toolDefinitions(
            listOf(body['tools']).filter((tool) => isJsonObject(objectOf(tool)['function'])),
            'skip',
          ),
  }),
  advise: adviseChat,
  mend: mendChatAnswer,
  openMender: (context, options) => new ChatEventMender(context, options),
};
