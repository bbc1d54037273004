import type { CircuitState } from '../internal/circuit-machine.ts';
import type { CircuitBreaker, FleetPlace } from './breaker/circuit-breaker.ts';
import type { CircuitOptions } from './breaker/circuit-options.ts';
import { resolveEnvironment } from './guard-environment.ts';
import type { ResolvedEnvironment } from './guard-environment.ts';
import { fleetPlace, inFleet } from './circuits/fleet-place.ts';
import { CircuitConfiguration } from './circuits/circuit-configuration.ts';
import {
  circuitName,
  matchesCircuitPattern,
  serverCircuitName,
  toolCircuitName,
} from './circuits/circuit-names.ts';
import { CIRCUITS_DEFAULTS, checkCircuitsOptions } from './circuits/circuits-options.ts';
import type { CircuitsOptions } from './circuits/circuits-options.ts';
import { leastWorthKeeping } from './circuits/least-worth-keeping.ts';
import { RegisteredCircuit } from './circuits/registered-circuit.ts';
import type { CircuitOwner } from './circuits/registered-circuit.ts';
import { ToolPaths } from './circuits/tool-paths.ts';

/** Where a tool lives. */
export interface ToolPlace {
  /** The server that offers it. */
  readonly server?: string | undefined;
  /** Who runs the server. */
  readonly provider?: string | undefined;
}

/** The circuits of a tool, its own first. */
export type ToolCircuits = readonly [CircuitBreaker, ...CircuitBreaker[]];

/** Named circuits: made when they are first used, forgotten when they are idle, set up by name. */
export class Circuits {
  readonly environment: ResolvedEnvironment;
  readonly #fleet: FleetPlace | undefined;
  readonly #configuration: CircuitConfiguration;
  readonly #circuits = new Map<string, RegisteredCircuit>();
  /** Patterns that are isolated by hand: they refuse for all circuits that match. */
  #patterns: readonly RegisteredCircuit[] = NO_PATTERNS;
  readonly #paths = new ToolPaths();
  readonly #idleMs: number;
  readonly #sweepEveryMs: number;
  readonly #maxCircuits: number;
  #nextSweepAt: number;
  readonly #leaveFleet: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  readonly #owner: CircuitOwner = {
    readmit: (circuit) => {
      if (!this.#circuits.has(circuit.name)) this.#add(circuit);
    },
    patternChanged: (circuit, isIsolated) => {
      const others = this.#patterns.filter((pattern) => pattern !== circuit);
      this.#patterns = isIsolated ? [...others, circuit] : others;
    },
    isolatedPattern: (circuit) => this.#patternOf(circuit.name, circuit),
  };

  constructor(options: CircuitsOptions = {}) {
    checkCircuitsOptions(options);
    this.environment = resolveEnvironment(inFleet(options));
    this.#fleet = fleetPlace(options);
    this.#configuration = new CircuitConfiguration(options);
    this.#idleMs = options.idleMs ?? CIRCUITS_DEFAULTS.idleMs;
    this.#sweepEveryMs = options.sweepEveryMs ?? CIRCUITS_DEFAULTS.sweepEveryMs;
    this.#maxCircuits = options.maxCircuits ?? CIRCUITS_DEFAULTS.maxCircuits;
    this.#nextSweepAt = this.environment.clock.now() + this.#sweepEveryMs;
    const accepts = options.accepts ?? ((): boolean => true);
    this.#leaveFleet = this.#fleet?.enlist?.((name) => {
      if (accepts(name)) this.#getOrMake(circuitName(name));
    });
  }

  /** Circuits that are kept now. */
  get size(): number {
    return this.#circuits.size;
  }

  /**
   * Sets a circuit up, over the defaults; what was configured before is replaced. A circuit that is in use
   * follows the new settings at once and keeps its state.
   */
  configureCircuit(name: string, options: CircuitOptions): void {
    const settings = this.#configuration.configure(name, options);
    this.peek(name)?.reconfigure(settings);
  }

  /** From now on the tool's calls go through this circuit, which other tools may share. */
  mapTool(tool: string, circuit: string): void {
    this.#configuration.mapTool(tool, circuit);
  }

  /** The name of the circuit a tool was mapped to. */
  circuitOf(tool: string): string | undefined {
    return this.#configuration.circuitOf(tool);
  }

  /** The circuit of this name; a new one on first use. */
  get(name: string): CircuitBreaker {
    this.#sweepWhenDue();
    return this.#getOrMake(circuitName(name));
  }

  /** The circuit of this name, if there is one. Looking is no use: it keeps nothing from being forgotten. */
  peek(name: string): CircuitBreaker | undefined {
    return this.#circuits.get(circuitName(name));
  }

  /** The circuits a call has to pass, innermost first: of the tool, of its server, of the server's provider. */
  forTool(tool: string, { server, provider }: ToolPlace = {}): ToolCircuits {
    this.#sweepWhenDue();
    const path = this.#paths.of(tool, server, provider);
    const name = this.circuitOf(tool) ?? path.toolCircuit;
    const circuits: [CircuitBreaker, ...CircuitBreaker[]] = [this.#getOrMake(name)];
    if (path.serverCircuit !== undefined) circuits.push(this.#getOrMake(path.serverCircuit));
    if (path.providerCircuit !== undefined) circuits.push(this.#getOrMake(path.providerCircuit));
    return circuits;
  }

  /** The circuit of a server. */
  forServer(server: string): CircuitBreaker {
    return this.get(serverCircuitName(server));
  }

  /** The circuit that a person isolated and that refuses the tool, by its name or by a pattern. Creates none. */
  isolated(tool: string, { server }: ToolPlace = {}): CircuitBreaker | undefined {
    const name = this.circuitOf(tool) ?? toolCircuitName(tool, server);
    const own = this.#circuits.get(name);
    return own?.isIsolated === true ? own : this.#patternOf(name);
  }

  list(): readonly CircuitBreaker[] {
    return [...this.#circuits.values()];
  }

  /** The state of every circuit, by name. */
  states(): ReadonlyMap<string, CircuitState> {
    return new Map(this.list().map((circuit) => [circuit.name, circuit.state]));
  }

  /** Whether calls are let through: true of a circuit that does not exist yet, too. */
  healthy(name: string): boolean {
    return this.peek(name)?.state !== 'open';
  }

  /** Closes the circuit by hand. False where there is none. */
  reset(name: string, note?: string): boolean {
    const circuit = this.peek(name);
    circuit?.reset(note);
    return circuit !== undefined;
  }

  resetAll(note?: string): void {
    for (const circuit of this.#circuits.values()) circuit.reset(note);
  }

  /** Forgets all circuits, open ones too, and takes no more from the fleet. What was configured and mapped stays. */
  clear(): void {
    this.#leaveFleet?.();
    this.#forget(this.#circuits.values());
  }

  /**
   * Forgets the closed circuits that nobody used for `idleMs`, and returns their names: an open one keeps its probe,
   * also after its open time. Done every
   * `sweepEveryMs` when a circuit is asked for; with `startSweeping` also when none is.
   */
  sweep(): readonly string[] {
    const now = this.environment.clock.now();
    this.#nextSweepAt = now + this.#sweepEveryMs;
    const circuits = [...this.#circuits.values()];
    return this.#forget(
      circuits.filter(
        ({ lastUsedAt, state }) => now - lastUsedAt >= this.#idleMs && state === 'closed',
      ),
    );
  }

  /** Sweeps by a timer, one for all circuits, which does not keep the process alive. */
  startSweeping(): void {
    this.#cancelTimer ??= this.#setTimer();
  }

  stopSweeping(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #setTimer(): () => void {
    const sweepAgain = (): void => {
      this.#cancelTimer = this.#setTimer();
      this.sweep();
    };
    return this.environment.clock.setTimer(sweepAgain, this.#sweepEveryMs, true);
  }

  #patternOf(name: string, except?: RegisteredCircuit): RegisteredCircuit | undefined {
    return this.#patterns.find(
      (pattern) =>
        pattern !== except && pattern.isIsolated && matchesCircuitPattern(pattern.name, name),
    );
  }

  #sweepWhenDue(): void {
    if (this.environment.clock.now() >= this.#nextSweepAt) this.sweep();
  }

  #getOrMake(name: string): RegisteredCircuit {
    const known = this.#circuits.get(name);
    if (known !== undefined) return known;
    const settings = this.#configuration.settingsOf(name);
    const circuit = new RegisteredCircuit(
      name,
      settings,
      this.environment,
      this.#owner,
      this.#fleet,
    );
    this.#add(circuit);
    return circuit;
  }

  #add(circuit: RegisteredCircuit): void {
    if (this.#circuits.size >= this.#maxCircuits)
      this.#forget(leastWorthKeeping([...this.#circuits.values()], this.#maxCircuits));
    this.#circuits.set(circuit.name, circuit);
    circuit.admitted();
  }

  #forget(circuits: Iterable<RegisteredCircuit>): readonly string[] {
    const names: string[] = [];
    for (const circuit of circuits) {
      this.#circuits.delete(circuit.name);
      circuit.forgotten();
      this.#patterns = this.#patterns.filter((pattern) => pattern !== circuit);
      names.push(circuit.name);
    }
    if (names.length > 0) this.environment.emit?.({ type: 'circuits-removed', circuits: names });
    return names;
  }
}

const NO_PATTERNS: readonly RegisteredCircuit[] = Object.freeze([]);
