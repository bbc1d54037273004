/**
 * What clients write when they cancel a call because their own time is up. The protocol has no code for it, so this is
 * the one place that reads the words of SDKs: TypeScript v1 and v2, Rust, Go.
 */
const REASONS: ReadonlySet<string> = new Set([
  'Request timed out',
  'Maximum total timeout exceeded',
  'request timeout',
  'context deadline exceeded',
]);
/** `McpError: MCP error -32001: …`, `SdkError: …`: how errors are written as text. */
const ERROR_PREFIX = /^\w{1,40}Error: /;
const TIMEOUT_CODE = 'MCP error -32001: ';

/** Whether a client cancelled a call because of its own timeout, by the reason that it gave. */
export function isClientTimeout(reason: unknown): boolean {
  if (typeof reason !== 'string') return false;
  if (reason.startsWith('TimeoutError: ')) return true;
  const text = reason.slice(0, 200).replace(ERROR_PREFIX, '');
  return text.startsWith(TIMEOUT_CODE) || REASONS.has(text);
}
