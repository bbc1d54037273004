import type { JsonValue, ToolDefinition } from '../../types.ts';
import { functionTool } from '../wire/function-tool.ts';
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
    tools:
      objectOf(body['tool_choice'])['type'] === 'none'
        ? []
        : listOf(body['tools']).flatMap(ownTool),
  }),
  refuse: refuseThread,
  advise: adviseMessages,
  mend: mendMessage,
  openMender: (context, options) => new MessagesEventMender(context, options),
};

/** A tool that the program defines; those with another type are Anthropic's, and only its models call them. */
function ownTool(tool: JsonValue): readonly ToolDefinition[] {
  const { type } = objectOf(tool);
  return (type ?? 'custom') === 'custom' ? functionTool(tool, 'input_schema') : [];
}
