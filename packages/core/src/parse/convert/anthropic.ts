import type { JsonObject } from '../../types.ts';
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

/**
 * Calls and text as the content of an Anthropic assistant message, in the order they were written. Text
 * that is only space is left out, since the API refuses it, and so is reasoning, which it wants signed.
 */
export function toAnthropicContent(result: {
  readonly segments: readonly Segment[];
}): readonly AnthropicContentBlock[] {
  return result.segments.flatMap((segment): AnthropicContentBlock[] => {
    switch (segment.type) {
      case 'text':
        return segment.raw.trim() === '' ? [] : [{ type: 'text', text: segment.raw }];
      case 'reasoning':
      case 'markup':
        return [];
      case 'calls':
        return segment.calls.map(({ id, name, arguments: input }) => ({
          type: 'tool_use',
          id,
          name,
          input,
        }));
    }
  });
}
