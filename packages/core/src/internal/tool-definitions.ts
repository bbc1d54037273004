import { InvalidOptionError } from '../errors.ts';
import type { JsonObject, ToolDefinition } from '../types.ts';
import { isRecord } from './record.ts';
import type { UnknownRecord } from './record.ts';
import { isPlainObject, toolSchema } from './tool-schema.ts';

/** A tool as given, before its schema is converted. */
export interface GivenTool {
  /** Its index in a list, or its key in a record. */
  readonly at: number | string;
  readonly source: UnknownRecord;
  readonly name: string;
  readonly description: string | undefined;
  /** The schema of its arguments, before conversion to JSON Schema. */
  readonly schema: unknown;
}

/**
 * Reads tools in any shape of `ToolsInput` as definitions. The first one that is not a tool throws an
 * `InvalidOptionError`; with `'skip'` it is omitted, or only its schema where nothing else is wrong.
 */
export function toolDefinitions(
  tools: unknown,
  onInvalid: 'throw' | 'skip' = 'throw',
): readonly ToolDefinition[] {
  const report = onInvalid === 'throw' ? fail : skip;
  const given = givenTools(tools, report);
  // A request is read once, so there is nothing to cache.
  if (onInvalid === 'skip') return definitionsOf(given, report);
  const read = READ.get(tools as object);
  if (read !== undefined && isSame(read, given)) return read.definitions;
  const definitions = definitionsOf(given, report);
  READ.set(tools as object, { definitions, schemas: given.map(({ schema }) => schema) });
  return definitions;
}

type Report = (error: InvalidOptionError) => void;

const fail: Report = (error) => {
  throw error;
};
const skip: Report = () => undefined;

/** The definitions of a list, and its schemas before conversion. */
interface ReadTools {
  readonly definitions: readonly ToolDefinition[];
  readonly schemas: readonly unknown[];
}

const READ = new WeakMap<object, ReadTools>();

/** Whether nothing was changed in a list since it was read. */
function isSame({ definitions, schemas }: ReadTools, given: readonly GivenTool[]): boolean {
  if (definitions.length !== given.length) return false;
  return definitions.every((definition, at) => {
    const tool = given[at];
    const isKept = definition.name === tool?.name && definition.description === tool.description;
    return isKept && schemas[at] === tool.schema;
  });
}

/** The tools that have a name; those without one are run by the provider. */
export function givenTools(tools: unknown, report: Report = fail): readonly GivenTool[] {
  // As MCP servers list them.
  const list = isRecord(tools) && Array.isArray(tools['tools']) ? tools['tools'] : tools;
  if (!Array.isArray(list) && !isPlainObject(list)) {
    const expected = 'a list of tool definitions, or a record from names to tools';
    report(new InvalidOptionError('tools', expected, tools));
    return [];
  }
  const given: GivenTool[] = [];
  const add = (at: number | string, tool: unknown): void => {
    const read = givenTool(at, tool);
    if (read instanceof InvalidOptionError) report(read);
    else if (read !== undefined) given.push(read);
  };
  if (Array.isArray(list)) (list as readonly unknown[]).forEach((tool, at) => add(at, tool));
  else for (const [key, tool] of Object.entries(list)) add(key, tool);
  return given;
}

const SHAPES =
  '{ name } with parameters, input_schema or inputSchema, or { type: "function", function: { name, parameters } }';

function givenTool(
  at: number | string,
  source: unknown,
): GivenTool | InvalidOptionError | undefined {
  const wrong = (expected: string, got: unknown, key = ''): InvalidOptionError =>
    new InvalidOptionError(`${placeOf(at)}${key}`, expected, got);
  if (!isRecord(source)) return wrong(`a tool definition with a name (${SHAPES})`, source);
  const { type } = source;
  const { function: inner = type === 'custom' ? source['custom'] : undefined } = source;
  const described = isRecord(inner) ? inner : source;
  const { description, parameters, input_schema: second, inputSchema: third } = described;
  const schema = parameters ?? second ?? third ?? described['schema'];
  let { name } = described;
  if (typeof at === 'string') {
    // In the AI SDK, `name` of a provider's tool is not the name that the model calls.
    const isProviders = typeof type === 'string' && type.startsWith('provider');
    const isOwnName = name === undefined || name === at || isProviders;
    if (!isOwnName) return wrong(`the key of the tool, ${JSON.stringify(at)}`, name, '.name');
    if (!TOOL_KEYS.some((key) => key in source))
      return wrong('a tool with an inputSchema or parameters', source);
    name = at;
  }
  if (name === undefined || name === null) {
    if (typeof type === 'string' && !OWN_TYPES.has(type)) return undefined;
    return wrong(`a tool definition with a name (${SHAPES})`, source);
  }
  if (typeof name !== 'string' || name === '')
    return wrong('a string that is not empty', name, '.name');
  return {
    at,
    source,
    name,
    description: typeof description === 'string' ? description : undefined,
    schema,
  };
}

/** Types of tools that the program runs, and of JSON Schema by mistake: without a name, these are errors. */
const OWN_TYPES: ReadonlySet<unknown> = new Set(['function', 'custom', 'object']);
const TOOL_KEYS = ['inputSchema', 'parameters', 'input_schema', 'function', 'execute'];

function definitionsOf(given: readonly GivenTool[], report: Report): readonly ToolDefinition[] {
  const definitions = new Map<string, ToolDefinition>();
  for (const tool of given) {
    const { at, name, description } = tool;
    if (definitions.has(name)) {
      const first = given.find((other) => other.name === name) ?? tool;
      const expected = `a name that no other tool has (it is that of ${placeOf(first.at)})`;
      report(new InvalidOptionError(`${placeOf(at)}.name`, expected, name));
      continue;
    }
    const parameters = parametersOf(tool, report);
    const definition: { -readonly [Key in keyof ToolDefinition]: ToolDefinition[Key] } = { name };
    // A spread here takes longer than the rest of this function.
    if (description !== undefined) definition.description = description;
    if (parameters !== undefined) definition.parameters = parameters;
    definitions.set(name, definition);
  }
  return [...definitions.values()];
}

function parametersOf({ at, name, schema }: GivenTool, report: Report): JsonObject | undefined {
  try {
    return toolSchema(schema, () => `${placeOf(at)} (${name})`);
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    report(error);
    return undefined;
  }
}

/** `tools[2]`, `tools.search`. */
export function placeOf(at: number | string): string {
  return typeof at === 'number' ? `tools[${at}]` : `tools.${at}`;
}
