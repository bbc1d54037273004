import { callStep } from './call-step.ts';
import type { CallStep, ConversationStep } from './conversation-step.ts';
import { resultText } from './message-text.ts';
import { readBlocks } from './read-blocks.ts';
import { isRecord, recordsIn, textIn } from './record.ts';
import type { UnknownRecord } from './record.ts';

/** A message with a role: of OpenAI's chat, of Anthropic's, or with something of both. */
export function readChatMessage(message: UnknownRecord): ConversationStep[] {
  const { role, content } = message;
  switch (role) {
    case 'assistant':
      return [...readBlocks(content, 'text'), ...readToolCalls(message)];
    case 'user':
      return readBlocks(content, 'user');
    case 'tool':
    case 'function':
      return readToolMessage(message);
    default:
      // What the system says does not change whose turn it is.
      return [];
  }
}

function readToolMessage(message: UnknownRecord): ConversationStep[] {
  const { content } = message;
  // Some clients put Anthropic's blocks under this role.
  const blocks = Array.isArray(content)
    ? readBlocks(content, 'text').filter(({ type }) => type === 'result')
    : [];
  if (blocks.length > 0) return blocks;
  return [
    {
      type: 'result',
      id: textIn(message['tool_call_id']),
      tool: textIn(message['name']),
      output: resultText(content),
      isError: undefined,
      exitCode: undefined,
    },
  ];
}

function readToolCalls(message: UnknownRecord): CallStep[] {
  // Before there were several calls in a message, there was one.
  const legacy = message['function_call'];
  const calls = recordsIn(message['tool_calls']);
  if (isRecord(legacy)) calls.push({ function: legacy });
  return calls.flatMap((call) => {
    const named = isRecord(call['function']) ? call['function'] : call['custom'];
    const tool = isRecord(named) ? textIn(named['name']) : undefined;
    if (!isRecord(named) || tool === undefined) return [];
    const input = named['arguments'] ?? named['input'];
    return [callStep(textIn(call['id']), tool, input)];
  });
}
