import { isRecord, recordsIn } from '../../advise/conversation/record.ts';
import type { ToolDefinition } from '../../types.ts';
import { adviseContent } from '../advising/advise-content.ts';
import { tellAdvice } from '../advising/tell-advice.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import type { JsonValue } from '../../types.ts';
import { remake, typeOf } from './lc-message.ts';

/** The messages of a request, with advice on the failing result that calls for it. */
export function adviseMessages(
  messages: readonly unknown[],
  tools: readonly ToolDefinition[],
  options: MendOptions,
): readonly unknown[] {
  return tellAdvice(messages, messages.map(asKnown), tools, options, ({ messageIndex }, text) => {
    const message = messages[messageIndex];
    if (!isRecord(message) || typeOf(message) !== 'tool') return undefined;
    const content = adviseContent(message['content'] as JsonValue | undefined, text, 'text');
    if (content === undefined) return undefined;
    return messages.with(messageIndex, remake(message, { content }));
  });
}

/** A message in the shape that conversations are read in: Anthropic's, which can say that a result failed. */
function asKnown(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { content } = message;
  switch (typeOf(message)) {
    case 'human':
      return { role: 'user', content };
    case 'ai': {
      const calls = recordsIn(message['tool_calls']).map(({ id, name, args }) => ({
        type: 'tool_use',
        id,
        name,
        input: args,
      }));
      const texts = typeof content === 'string' ? [{ type: 'text', text: content }] : [];
      return { role: 'assistant', content: [...texts, ...calls] };
    }
    case 'tool': {
      const { tool_call_id: id, status } = message;
      const result = { type: 'tool_result', tool_use_id: id, content };
      return {
        role: 'user',
        content: [status === 'error' ? { ...result, is_error: true } : result],
      };
    }
    default:
      return { role: 'system', content };
  }
}
