import type { ToolResult } from '../advise/classification.ts';
import type { ToolResponse } from '../hooks/extension.ts';

/** What of `additional` says how a call went, by the names a `ToolResult` has for it. */
export type ResponseSignals = Partial<
  Pick<ToolResult, 'isError' | 'exitCode' | 'signal' | 'status' | 'durationMs'>
>;

/** The output of a response, and what its `additional` says of how the call went. */
export function resultOfResponse({
  message,
  additional,
}: ToolResponse): ResponseSignals & Pick<ToolResult, 'output'> {
  const { isError, exitCode, signal, status, durationMs } = additional ?? {};
  return {
    output: message,
    ...(typeof isError === 'boolean' && { isError }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
    ...(typeof status === 'number' && { status }),
    ...(typeof durationMs === 'number' && { durationMs }),
  };
}
