import { isRecord } from './record.ts';

/** The text of a message or a result: a string, or the texts among a list of parts. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  return parts.flatMap(partText).join('\n');
}

function partText(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  if (!isRecord(part)) return [];
  // OpenAI refuses in a part of its own kind.
  const text = part['text'] ?? part['refusal'];
  return typeof text === 'string' ? [text] : [];
}
