import type { ToolCall } from '@holdfast/core/parse';
import { safeJson, safeLine } from './safe-text.ts';

/** A call for people: what is called, and how it was read. */
export function describeCall(call: ToolCall): { readonly head: string; readonly tag: string } {
  const tag = [call.format];
  if (call.repairs.length > 0) tag.push(`repaired: ${call.repairs.join(', ')}`);
  if (!call.complete) tag.push('incomplete');
  if (call.lossy) tag.push('content may be lost');
  return { head: `${safeLine(call.name)} ${safeJson(call.arguments)}`, tag: tag.join(', ') };
}
