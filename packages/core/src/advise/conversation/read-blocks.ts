import { callStep } from './call-step.ts';
import type { CallStep, ConversationStep, ResultStep } from './conversation-step.ts';
import { messageText, resultText } from './message-text.ts';
import { isOwnAdvice } from './own-advice.ts';
import { isRecord, textIn } from './record.ts';
import type { UnknownRecord } from './record.ts';

/**
 * The content of a message as Anthropic writes it: a text, or blocks, among them calls and results. Everything
 * else is what `speaker` says.
 */
export function readBlocks(content: unknown, speaker: 'text' | 'user'): ConversationStep[] {
  if (typeof content === 'string') return isSpoken(content) ? [{ type: speaker }] : [];
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  return blocks.flatMap((block): ConversationStep[] => {
    if (isRecord(block)) {
      const type = textIn(block['type']) ?? '';
      if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
        return readToolUse(block);
      if (type.endsWith('tool_result')) return [readToolResult(block)];
      if (type === 'thinking' || type === 'redacted_thinking') return [];
      if (type !== 'text' && type !== 'input_text' && type !== 'output_text')
        return speaker === 'user' && type !== '' ? [{ type: speaker }] : [];
    }
    return isSpoken(messageText(block)) ? [{ type: speaker }] : [];
  });
}

/** Hosts write reminders under the role of the user, and so do we: nobody has said anything then. */
function isSpoken(text: string): boolean {
  const spoken = text.trimStart();
  return spoken !== '' && !spoken.startsWith('<system-reminder>') && !isOwnAdvice(spoken);
}

function readToolUse(block: UnknownRecord): CallStep[] {
  const tool = textIn(block['name']);
  if (tool === undefined) return [];
  return [callStep(textIn(block['id']), tool, block['input'])];
}

function readToolResult(block: UnknownRecord): ResultStep {
  const { is_error: isError, content } = block;
  return {
    type: 'result',
    id: textIn(block['tool_use_id']),
    tool: undefined,
    output: resultText(content),
    isError: typeof isError === 'boolean' ? isError : isErrorBlock(content) ? true : undefined,
    exitCode: undefined,
  };
}

/** What Anthropic's own tools answer with when they fail: `web_search_tool_result_error` and its kin. */
function isErrorBlock(content: unknown): boolean {
  return isRecord(content) && (textIn(content['type'])?.endsWith('_error') ?? false);
}
