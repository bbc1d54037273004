import { InvalidOptionError } from '../errors.ts';
import { givenTools, placeOf, toolDefinitions } from '../internal/tool-definitions.ts';
import type { GivenTool } from '../internal/tool-definitions.ts';
import type { ToolDefinition } from '../types.ts';
import { standardValidator } from './standard-validator.ts';
import type { Validator } from './standard-validator.ts';
import type { RunnableTools, Tool } from './tool.ts';

/**
 * Returns the tools of a runner in Holdfast's own shape, with the validators of those that have a Standard Schema.
 * Throws if one has no `execute`, and names it.
 */
export function runnableTools(tools: RunnableTools): ReadonlyMap<Tool, Validator | undefined> {
  const definitions = new Map(toolDefinitions(tools).map((tool) => [tool.name, tool]));
  const runnables = new Map<Tool, Validator | undefined>();
  for (const given of givenTools(tools)) {
    const definition = definitions.get(given.name);
    if (definition === undefined) continue;
    runnables.set(runnable(given, definition), standardValidator(given.schema));
  }
  return runnables;
}

function runnable({ at, name, source }: GivenTool, definition: ToolDefinition): Tool {
  const { execute } = source;
  if (typeof execute !== 'function') {
    const place = `${placeOf(at)} (${name})`;
    throw new InvalidOptionError(`${place}.execute`, 'a function that runs the tool', execute);
  }
  if (isAsDefined(source, definition)) return source;
  // A spread would miss properties that a class instance has on its prototype.
  const { annotations, timeoutMs, retry, server, provider } = source as Partial<Tool>;
  const settings = { annotations, timeoutMs, retry, server, provider };
  const run = (execute as Tool['execute']).bind(source);
  return { ...definition, ...settings, execute: run } as Tool;
}

/** Whether a tool is in Holdfast's own shape already: then it stays the same object. */
function isAsDefined(source: object, definition: ToolDefinition): source is Tool {
  const { name, description, parameters } = source as Partial<ToolDefinition>;
  const isSame = name === definition.name && description === definition.description;
  return isSame && parameters === definition.parameters;
}
