import { expect, test } from 'vitest';
import { isClientTimeout } from './is-client-timeout.ts';

test.each([
  'McpError: MCP error -32001: Request timed out',
  'McpError: MCP error -32001: Maximum total timeout exceeded',
  'SdkError: Request timed out',
  'SdkError: Maximum total timeout exceeded',
  'TimeoutError: The operation was aborted due to timeout',
  'request timeout',
  'context deadline exceeded',
])('reads %j as the timeout of the client', (reason) => {
  expect(isClientTimeout(reason)).toBe(true);
});

test.each([
  'AbortError: This operation was aborted',
  'the user pressed Escape: Request timed out',
  'context canceled',
  'the client has gone',
  'Error: enough',
  '',
  undefined,
  new Error('Request timed out'),
])('reads %s as taken back', (reason) => {
  expect(isClientTimeout(reason)).toBe(false);
});
