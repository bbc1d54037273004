import { isRecord } from './record.ts';

/** The text of a message or a result: a string, or the texts among a list of parts. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  return parts.flatMap(partText).join('\n');
}

/** The text of a result. An object without one is shown as JSON: it is what the tool answered. */
export function resultText(content: unknown): string {
  const text = messageText(content);
  return text === '' && isRecord(content) ? (jsonOf(content) ?? '') : text;
}

function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // It holds itself, or what JSON cannot say.
    return undefined;
  }
}

function partText(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  if (!isRecord(part)) return [];
  // OpenAI refuses in a part of its own kind.
  const text = part['text'] ?? part['refusal'];
  return typeof text === 'string' ? [text] : [];
}
