import { ToolNames } from '../internal/tool-names.ts';
import type { JsonObject, ToolDefinition } from '../types.ts';

/** The tools a model was offered, by the names it may write for them. */
export class OfferedTools {
  readonly names: ToolNames;
  readonly #parameters = new Map<string, JsonObject | undefined>();

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
}
