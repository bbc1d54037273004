import { InvalidOptionError } from '../../errors.ts';
import { text } from '../../internal/check-options.ts';
import { resolveCircuitOptions } from '../breaker/circuit-options.ts';
import type { CircuitOptions, CircuitSettings } from '../breaker/circuit-options.ts';
import { PROVIDER_CIRCUIT, SERVER_CIRCUIT } from './circuit-levels.ts';
import { circuitLevel, circuitName } from './circuit-names.ts';
import type { CircuitLevel } from './circuit-names.ts';
import type { CircuitsOptions } from './circuits-options.ts';

/**
 * What was said about circuits, apart from the circuits: forgetting one must not forget how it is set. All
 * circuits that are not configured by name share the settings of their level.
 */
export class CircuitConfiguration {
  readonly #levels: Readonly<Record<CircuitLevel, CircuitSettings>>;
  readonly #settings = new Map<string, CircuitSettings>();
  readonly #circuitByTool = new Map<string, string>();

  constructor(options: CircuitsOptions) {
    const { defaults = {}, serverDefaults = {}, providerDefaults = {} } = options;
    const { overrides = {}, tools = {} } = options;
    const tool = resolveCircuitOptions(defaults);
    const server = resolveCircuitOptions(SERVER_CIRCUIT, tool);
    const provider = resolveCircuitOptions(PROVIDER_CIRCUIT, tool);
    this.#levels = {
      tool,
      server: resolveCircuitOptions(serverDefaults, server),
      provider: resolveCircuitOptions(providerDefaults, provider),
    };
    for (const [name, circuit] of Object.entries(tools)) this.mapTool(name, circuit);
    for (const [name, settings] of Object.entries(overrides)) {
      this.#refuseMapped(name);
      this.configure(name, settings);
    }
  }

  settingsOf(name: string): CircuitSettings {
    return this.#settings.get(name) ?? this.#levels[circuitLevel(name)];
  }

  /** Returns what holds from now on. What was configured before is replaced, not merged. */
  configure(name: string, options: CircuitOptions): CircuitSettings {
    checkName('circuit name', name);
    const kept = circuitName(name);
    const settings = resolveCircuitOptions(options, this.#levels[circuitLevel(kept)]);
    this.#settings.set(kept, settings);
    return settings;
  }

  mapTool(tool: string, circuit: string): void {
    checkName('circuit of a tool', circuit);
    this.#circuitByTool.set(tool, circuitName(circuit));
  }

  /** The circuit the tool was mapped to. */
  circuitOf(tool: string): string | undefined {
    return this.#circuitByTool.get(tool);
  }

  /** Settings of a circuit that no call ever reaches would be a silent mistake. */
  #refuseMapped(name: string): void {
    const circuit = this.#circuitByTool.get(name);
    if (circuit === undefined || circuit === name) return;
    const expected = `the circuit of that tool, which is ${JSON.stringify(circuit)}`;
    throw new InvalidOptionError('circuits.overrides', expected, name);
  }
}

function checkName(option: string, name: unknown): void {
  const expected = text(name);
  if (expected !== undefined) throw new InvalidOptionError(option, expected, name);
}
