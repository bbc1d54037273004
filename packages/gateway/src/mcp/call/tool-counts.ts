/** What became of the calls of one tool since the gateway runs. Plain JSON. */
export interface ToolCounts {
  readonly server: string;
  /** As its server names it. */
  readonly tool: string;
  readonly calls: number;
  /** Calls that were sent and failed. */
  readonly failures: number;
  /** Calls that were not sent: their arguments do not fit, or a circuit, a plugin or the advisor refused them. */
  readonly refusals: number;
  /** Calls whose arguments were set right. */
  readonly repairs: number;
  /** Results that advice was added to. */
  readonly advice: number;
}

/** Counts that go up. */
export type RunningCounts = { -readonly [Key in keyof ToolCounts]: ToolCounts[Key] };

/** A server that lists new tools for ever must not fill the memory. */
const MOST_TOOLS = 10_000;

/** The counts of all tools that were called. */
export class AllToolCounts {
  readonly #byName = new Map<string, RunningCounts>();

  of(server: string, tool: string): RunningCounts {
    const name = JSON.stringify([server, tool]);
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.#byName.size >= MOST_TOOLS) this.#byName.clear();
    const counts = { server, tool, calls: 0, failures: 0, refusals: 0, repairs: 0, advice: 0 };
    this.#byName.set(name, counts);
    return counts;
  }

  list(): readonly ToolCounts[] {
    return [...this.#byName.values()].map((counts) => ({ ...counts }));
  }
}
