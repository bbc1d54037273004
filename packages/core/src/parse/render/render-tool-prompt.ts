import type { ToolDefinition } from '../../types.ts';
import { dialectOf } from './dialect-of.ts';
import { exampleCall } from './example-call.ts';

/**
 * What to tell a model, in its system message, so that it calls the tools in that format: the tools with
 * their schemas, the syntax, an example. Without tools there is nothing to tell.
 */
export function renderToolPrompt(tools: readonly ToolDefinition[], format: string): string {
  const dialect = dialectOf(format);
  const examples = tools.map(exampleCall);
  // A tool the model could not call in this format is refused before the model is told of it.
  for (const call of examples) dialect.writeCalls([call]);
  const [example] = examples;
  return example === undefined ? '' : dialect.writePrompt(tools, example);
}
