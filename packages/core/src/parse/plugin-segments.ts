import type { ToolCall } from '../types.ts';
import type { ParseResult, Segment } from './parse-result.ts';

/**
 * Cuts a whole-text parser's calls out of the text by the source it names for each. Where it names none,
 * or one that is not in the text, its calls stand for the whole text: nothing is lost and nothing is told twice.
 */
export function cutCalls(
  text: string,
  found: readonly { readonly call: ToolCall; readonly source: string | undefined }[],
): Pick<ParseResult, 'calls' | 'text' | 'reasoning' | 'segments'> {
  const calls = found.map(({ call }) => call);
  const segments: Segment[] = [];
  let around = '';
  let at = 0;
  for (const { call, source } of found) {
    const start = source === undefined || source === '' ? -1 : text.indexOf(source, at);
    if (source === undefined || start < 0) {
      return { calls, text: '', reasoning: '', segments: [{ type: 'calls', raw: text, calls }] };
    }
    if (start > at) segments.push({ type: 'text', raw: text.slice(at, start) });
    around += text.slice(at, start);
    segments.push({ type: 'calls', raw: source, calls: [call] });
    at = start + source.length;
  }
  if (at < text.length) segments.push({ type: 'text', raw: text.slice(at) });
  return { calls, text: around + text.slice(at), reasoning: '', segments };
}
