import { providerCircuitName, serverCircuitName, toolCircuitName } from './circuit-names.ts';

/** The names of the circuits a tool has by where it lives. */
export interface ToolPath {
  readonly server: string | undefined;
  readonly provider: string | undefined;
  readonly toolCircuit: string;
  readonly serverCircuit: string | undefined;
  readonly providerCircuit: string | undefined;
}

/** Names of tools may be made up by models: what is kept of them is bounded, in number and length. */
const MAX_PATHS = 1000;
const MAX_LENGTH = 200;

/** Keeps the names: to put them together and hash them for every call would cost more than all the rest of it. */
export class ToolPaths {
  readonly #byTool = new Map<string, ToolPath>();

  of(tool: string, server: string | undefined, provider: string | undefined): ToolPath {
    const known = this.#byTool.get(tool);
    if (known !== undefined && known.server === server && known.provider === provider) return known;
    const path: ToolPath = {
      server,
      provider,
      toolCircuit: toolCircuitName(tool, server),
      serverCircuit: server === undefined ? undefined : serverCircuitName(server),
      providerCircuit: provider === undefined ? undefined : providerCircuitName(provider),
    };
    if (this.#byTool.size >= MAX_PATHS) this.#byTool.clear();
    if (tool.length <= MAX_LENGTH) this.#byTool.set(tool, path);
    return path;
  }
}
