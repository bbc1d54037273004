import type { ParseIssueCode } from './parse-issue.ts';
import type { ParseSink } from './parse-sink.ts';

/** Tells an issue, with the parser and the call it concerns where there are such. */
export function reportIssue(
  sink: ParseSink,
  code: ParseIssueCode,
  message: string,
  offset: number,
  about: { readonly parser?: string; readonly callId?: string } = {},
): void {
  sink.issue({ code, message, offset, ...about });
}
