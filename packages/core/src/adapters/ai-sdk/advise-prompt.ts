import { isRecord } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import type { ToolDefinition } from '../../types.ts';
import { addAdvice } from '../advising/add-advice.ts';
import { tellAdvice } from '../advising/tell-advice.ts';
import type { MendOptions } from '../reading/mend-options.ts';

/** A message of a prompt, in every version of the specification. */
export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** The prompt, with advice on the result that calls for it. */
export function advisePrompt<Message extends MessageLike>(
  prompt: readonly Message[],
  tools: readonly ToolDefinition[],
  options: MendOptions,
): readonly Message[] {
  return tellAdvice(
    prompt,
    prompt.map(asKnown),
    tools,
    options,
    ({ messageIndex, callId }, text) => {
      const message = prompt[messageIndex];
      if (message === undefined || !Array.isArray(message.content)) return undefined;
      const parts: readonly unknown[] = message.content;
      const at = parts.findLastIndex((part) => isResultOf(part, callId));
      const advised = withAdvice(parts[at], text);
      if (advised === undefined) return undefined;
      return prompt.with(messageIndex, { ...message, content: parts.with(at, advised) });
    },
  );
}

function isResultOf(part: unknown, callId: string | undefined): boolean {
  if (!isRecord(part) || part['type'] !== 'tool-result') return false;
  return callId === undefined || part['toolCallId'] === callId;
}

/** The message in the shape that conversations are read in: Anthropic's. */
function asKnown({ role, content }: MessageLike): unknown {
  if (!Array.isArray(content)) return { role, content };
  const blocks = (content as readonly unknown[]).map((part) => {
    if (!isRecord(part)) return part;
    const { type, toolCallId: id, toolName: name } = part;
    if (type === 'tool-call') return { type: 'tool_use', id, name, input: part['input'] };
    return type === 'tool-result' ? resultBlock(id, part['output']) : part;
  });
  return { role, content: blocks };
}

function resultBlock(id: unknown, output: unknown): unknown {
  const { type, value } = isRecord(output) ? output : {};
  const isError = type === 'error-text' || type === 'error-json';
  // That the user did not allow a call says nothing of the tool.
  if (type === 'execution-denied') return { type: 'text', text: '' };
  const content = type === 'content' ? value : textOf(value);
  return { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) };
}

function withAdvice(part: unknown, text: string): UnknownRecord | undefined {
  const output = isRecord(part) ? part['output'] : undefined;
  if (!isRecord(part) || !isRecord(output)) return undefined;
  const { type, value } = output;
  if (type === 'content' && Array.isArray(value))
    return {
      ...part,
      output: { ...output, value: [...(value as unknown[]), { type: 'text', text }] },
    };
  const advised = addAdvice(textOf(value), text);
  if (advised === undefined) return undefined;
  // JSON has no place for a text; providers send it as the same text.
  const kind = type === 'error-text' || type === 'error-json' ? 'error-text' : 'text';
  return { ...part, output: { ...output, type: kind, value: advised } };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // Undefined where there is nothing that JSON can say.
  const json = JSON.stringify(value) as string | undefined;
  return json ?? '';
}
