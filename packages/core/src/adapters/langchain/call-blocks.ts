import { isRecord } from '../../advise/conversation/record.ts';
import type { FoundCall } from './content-reader.ts';

/** Blocks in which an integration tells calls a second time, beside the fields that LangChain reads. */
const CALL_BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'input_json_delta',
  'tool_call',
  'tool_call_chunk',
  'invalid_tool_call',
]);

/** A content without them; the very same where there are none. */
export function withoutCallBlocks(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const blocks: readonly unknown[] = content;
  return blocks.some(isCallBlock) ? blocks.filter((block) => !isCallBlock(block)) : content;
}

/**
 * A content that tells these calls and no others. Anthropic's integration sends back what the blocks say, and
 * older ones only that; where there are LangChain's own blocks, LangChain makes them again.
 */
export function withCallBlocks(
  content: unknown,
  calls: readonly FoundCall[],
  isAnthropic: boolean,
): unknown {
  if (!Array.isArray(content)) return content;
  const blocks: readonly unknown[] = content;
  const others = blocks.filter((block) => !isCallBlock(block));
  return isAnthropic || blocks.some(isToolUse) ? [...others, ...calls.map(toolUse)] : others;
}

/** Calls as Anthropic's blocks. */
export function toolUse({ id, name, arguments: input }: FoundCall): object {
  return { type: 'tool_use', id, name, input };
}

const isCallBlock = (block: unknown): boolean => isRecord(block) && CALL_BLOCKS.has(block['type']);
const isToolUse = (block: unknown): boolean => isRecord(block) && block['type'] === 'tool_use';
