import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/client';

/** How much of an error of a server is passed on: characters of its text, and of its data as JSON, about. */
export const ERROR_LIMITS: Readonly<Record<'text' | 'data', number>> = Object.freeze({
  text: 2000,
  data: 65_536,
});

/** Returns the message with the text of an error cut, and without data that is too large. */
export function boundErrorResponse(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { code, message: text, data } = message.error;
  const isLarge = data !== undefined && isLargerThan(data, ERROR_LIMITS.data);
  if (!isLarge && text.length <= ERROR_LIMITS.text) return message;
  const error: JSONRPCErrorResponse['error'] = {
    code,
    message: isLarge ? `${cut(text)} [data left out]` : cut(text),
    ...(data !== undefined && !isLarge && { data }),
  };
  return { ...message, error };
}

/** Cuts the text of an error, which may be a whole page of a server. Returns the error. */
export function boundErrorText(error: unknown): unknown {
  if (!(error instanceof Error) || error.message.length <= ERROR_LIMITS.text) return error;
  const { message, stack } = error;
  error.message = cut(message);
  // It begins with the text as it was.
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  return error;
}

function cut(text: string): string {
  const left = text.length - ERROR_LIMITS.text;
  return left > 0 ? `${text.slice(0, ERROR_LIMITS.text)}… [${left} characters left out]` : text;
}

/** Whether a value takes more characters as JSON, without writing all of it. */
function isLargerThan(value: unknown, limit: number): boolean {
  const waiting = [value];
  let size = 0;
  for (let next = waiting.pop(); size <= limit; next = waiting.pop()) {
    size += typeof next === 'string' ? next.length + 3 : 5;
    if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        size += Array.isArray(next) ? 0 : key.length + 3;
        waiting.push(inner);
      }
    }
    if (waiting.length === 0) break;
  }
  return size > limit;
}
