import { checkRenderable } from './check-renderable.ts';
import { dialectOf } from './dialect-of.ts';
import type { ToolResult } from './render-dialect.ts';

/**
 * Writes what a tool answered the way a model of that format is shown it. Text that would end the answer's
 * block is broken up, so that a tool cannot speak for anyone else.
 */
export function renderToolResult(result: ToolResult, format: string): string {
  const dialect = dialectOf(format);
  checkRenderable(format, result.name, 'result', result.content);
  return dialect.writeResult(result);
}
