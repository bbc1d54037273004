import { toolDefinitions } from '../internal/tool-definitions.ts';
import { ToolNames } from '../internal/tool-names.ts';
import type { JsonObject, JsonValue, ToolDefinition, ToolsInput } from '../types.ts';
import { isJsonObject } from './call-keys.ts';

/** The tools a model was offered, by the names it may write for them. */
export class OfferedTools {
  readonly names: ToolNames;
  readonly #parameters = new Map<string, JsonObject | undefined>();

  /** Returns the same object for the same tools, so that it is built once for many texts. */
  static of(tools: ToolsInput): OfferedTools {
    const definitions = toolDefinitions(tools);
    const known = OFFERED.get(definitions) ?? new OfferedTools(definitions);
    OFFERED.set(definitions, known);
    return known;
  }

  constructor(tools: readonly ToolDefinition[]) {
    this.names = new ToolNames(tools.map(({ name }) => name));
    for (const { name, parameters } of tools) this.#parameters.set(name, parameters);
  }

  /** The tool that `written` is or can only mean; undefined when there is none. */
  resolve(written: string): string | undefined {
    return this.names.resolve(written);
  }

  /** The JSON Schema of a tool's arguments. */
  parametersOf(written: string): JsonObject | undefined {
    const name = this.names.resolve(written);
    return name === undefined ? undefined : this.#parameters.get(name);
  }

  /** The only tool whose name has that word: `weather` is one of `get_weather`. */
  withWord(word: string): string | undefined {
    const [only, ...others] = [...this.#parameters.keys()].filter((name) =>
      name
        .toLowerCase()
        .split(/[^a-z]/)
        .includes(word),
    );
    return others.length === 0 ? only : undefined;
  }

  /** Why arguments do not fit the parameters of a tool by their names; undefined when they do. */
  misfit(tool: string, args: JsonObject): string | undefined {
    const other = Object.keys(args).find((key) => !this.hasParameter(tool, key));
    if (other !== undefined) return `${tool} has no parameter ${JSON.stringify(other)}`;
    const required = this.parametersOf(tool)?.['required'];
    const missing = Array.isArray(required)
      ? (required as readonly JsonValue[]).find(
          (key) => typeof key === 'string' && !Object.hasOwn(args, key),
        )
      : undefined;
    return typeof missing === 'string'
      ? `the required parameter ${JSON.stringify(missing)} of ${tool} is missing`
      : undefined;
  }

  hasParameter(tool: string, key: string): boolean {
    const properties = this.parametersOf(tool)?.['properties'];
    return isJsonObject(properties) && Object.hasOwn(properties, key);
  }

  /** The parameter that a tool cannot do without, or the only one it has. */
  onlyParameterOf(tool: string): string | undefined {
    const schema = this.parametersOf(tool);
    const required = schema?.['required'];
    const properties = schema?.['properties'];
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const needed = names.filter((key) => Array.isArray(required) && required.includes(key));
    const [only, ...others] = needed.length > 0 ? needed : names;
    return others.length === 0 ? only : undefined;
  }

  /** The one tool that takes arguments of these names and requires no others; undefined when it is not one. */
  onlyToolTaking(keys: readonly string[]): string | undefined {
    const fitting = [...this.#parameters].filter(([, schema]) => takes(schema, keys));
    return fitting.length === 1 ? fitting[0]?.[0] : undefined;
  }
}

const OFFERED = new WeakMap<readonly ToolDefinition[], OfferedTools>();

function takes(schema: JsonObject | undefined, keys: readonly string[]): boolean {
  const properties = schema?.['properties'];
  const known = isJsonObject(properties) ? properties : {};
  const required = schema?.['required'];
  return (
    keys.every((key) => Object.hasOwn(known, key)) &&
    (!Array.isArray(required) || required.every((key) => keys.includes(key as string)))
  );
}
