import { toolDefinitions } from '../../internal/tool-definitions.ts';
import type { ToolsInput } from '../../types.ts';
import { dialectOf } from './dialect-of.ts';
import { exampleCall } from './example-call.ts';

/**
 * What to tell a model, in its system message, so that it calls the tools in that format: the tools with
 * their schemas, the syntax, an example. Without tools there is nothing to tell.
 */
export function renderToolPrompt(tools: ToolsInput, format: string): string {
  const dialect = dialectOf(format);
  const definitions = toolDefinitions(tools);
  const examples = definitions.map(exampleCall);
  // A tool the model could not call in this format is refused before the model is told of it.
  for (const call of examples) dialect.writeCalls([call]);
  const [example] = examples;
  return example === undefined ? '' : dialect.writePrompt(definitions, example);
}
