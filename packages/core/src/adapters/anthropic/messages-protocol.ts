import type { JsonValue } from '../../types.ts';
import { toolDefinitions } from '../../internal/tool-definitions.ts';
import { requiresJson } from '../reading/requires-json.ts';
import { listOf, objectOf, textOf } from '../wire/json-fields.ts';
import type { WireProtocol } from '../wire/wire-protocol.ts';
import { adviseMessages } from './advise-messages.ts';
import { mendMessage } from './mend-message.ts';
import { MessagesEventMender } from './messages-event-mender.ts';
import { refuseThread } from './refuse-thread.ts';

/** Anthropic's Messages. */
export const messagesProtocol: WireProtocol = {
  path: '/messages',
  contextOf: (body) => ({
    model: textOf(body['model']),
    requiresJson: requiresJson(body),
    tools:
      objectOf(body['tool_choice'])['type'] === 'none'
        ? []
        : toolDefinitions(listOf(body['tools']).filter(isOwnTool), 'skip'),
  }),
  refuse: refuseThread,
  advise: adviseMessages,
  mend: mendMessage,
  openMender: (context, options) => new MessagesEventMender(context, options),
};

/** A tool that the program defines; those with another type are Anthropic's, and only its models call them. */
function isOwnTool(tool: JsonValue): boolean {
  return (objectOf(tool)['type'] ?? 'custom') === 'custom';
}
