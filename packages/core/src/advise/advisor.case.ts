import type { AdvisedCall } from './advised-call.ts';
import type { Classification, ToolResult } from './classification.ts';

/** A call that looks for a file that is not there. */
export const cat: AdvisedCall = {
  tool: 'code_execution_tool',
  arguments: { runtime: 'terminal', code: 'cat /nonexistent/file/path.txt' },
};
/** What comes of it. */
export const notFound: ToolResult = {
  tool: cat.tool,
  output: 'cat: /nonexistent/file/path.txt: No such file or directory',
  exitCode: 1,
};
/** A failure of a type, as sure as can be. */
export const failed = (type: Classification['type'], evidence = 'it broke'): Classification => ({
  status: 'failure',
  type,
  parent: 'execution',
  confidence: 1,
  evidence,
  retryable: false,
});
export const succeeded: Classification = {
  status: 'success',
  type: undefined,
  parent: undefined,
  confidence: 1,
  evidence: '',
  retryable: false,
};
