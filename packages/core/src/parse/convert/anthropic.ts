import { digitsLostMessage, unkeptNumbers } from '../../internal/number-digits.ts';
import { holdsUnsafeNumber, quoteLostNumbers } from '../../internal/schema-text.ts';
import type { JsonObject, ToolCall, ToolsInput } from '../../types.ts';
import { OfferedTools } from '../offered-tools.ts';
import type { ParseIssue } from '../parse-issue.ts';
import type { Segment } from '../parse-result.ts';

/** A part of an assistant message of Anthropic's Messages. */
export type AnthropicContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
    };

/** What is known of the calls, and who is notified of lost digits. */
export interface AnthropicContentOptions {
  /** The tools that were offered: without them, no issue is reported. @defaultValue none */
  readonly tools?: ToolsInput | undefined;
  /**
   * Called where a parameter wants a number and got more digits than a number can hold, with the code
   * `digits-lost`. @defaultValue none
   */
  readonly onIssue?: ((issue: ParseIssue) => void) | undefined;
}

/**
 * Calls and text as the content of an Anthropic assistant message, in the order they were written. Text
 * that is only space is left out, since the API refuses it, and so is reasoning, which it wants signed.
 */
export function toAnthropicContent(
  result: { readonly segments: readonly Segment[] },
  { tools, onIssue }: AnthropicContentOptions = {},
): readonly AnthropicContentBlock[] {
  const offered = tools === undefined ? undefined : OfferedTools.of(tools);
  const blocks: AnthropicContentBlock[] = [];
  let offset = 0;
  for (const segment of result.segments) {
    if (segment.type === 'text' && segment.raw.trim() !== '')
      blocks.push({ type: 'text', text: segment.raw });
    for (const call of segment.type === 'calls' ? segment.calls : NONE) {
      const { id, name, format: parser } = call;
      const input = inputOf(call);
      blocks.push({ type: 'tool_use', id, name, input });
      const lost =
        input === call.arguments ? NONE : unkeptNumbers(input, offered?.parametersOf(name));
      if (lost.length === 0) continue;
      const message = digitsLostMessage(name, lost);
      onIssue?.({ code: 'digits-lost', message, offset, parser, callId: id });
    }
    offset += segment.raw.length;
  }
  return blocks;
}

/** The arguments as an object has them: a number that it cannot hold is the string of its digits. */
function inputOf({ arguments: args, argumentsText: text }: ToolCall): JsonObject {
  if (text === undefined || !holdsUnsafeNumber(args)) return args;
  const quoted = quoteLostNumbers(text);
  // eslint-disable-next-line no-restricted-properties -- the text was read before: it is valid JSON
  return quoted === text ? args : (JSON.parse(quoted) as JsonObject);
}

const NONE: readonly never[] = [];
