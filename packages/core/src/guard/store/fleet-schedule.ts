import type { ResolvedEnvironment } from '../guard-environment.ts';
import type { FleetCircuit } from './fleet-circuit.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { StoreLink } from './store-link.ts';

/** Between two rounds there is at least so much, however much is urgent. */
const ROUND_GAP_MS = 10;
const SECOND_MS = 1000;

export interface FleetPace {
  readonly flushMs: readonly [number, number];
  readonly maxCommandsPerSecond: number;
}

/** When the circuits of a fleet are stepped: one timer for all of them, however many there are. */
export class FleetSchedule {
  readonly #environment: ResolvedEnvironment;
  readonly #pace: FleetPace;
  readonly #link: StoreLink;
  readonly #heartbeat: Heartbeat;
  /** Circuits that have something to tell or to hear. */
  readonly #active = new Set<FleetCircuit>();
  #flushAt = -Infinity;
  #roundAt = -Infinity;
  #firesAt = Infinity;
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(
    environment: ResolvedEnvironment,
    pace: FleetPace,
    link: StoreLink,
    heartbeat: Heartbeat,
  ) {
    this.#environment = environment;
    this.#pace = pace;
    this.#link = link;
    this.#heartbeat = heartbeat;
    this.#wakeAt(heartbeat.nextAt);
  }

  /** How long it takes all replicas to tell of as many circuits as are active here, at the most that they may send. */
  get leastIntervalMs(): number {
    return this.roundMs(this.#active.size);
  }

  /** How long it takes all replicas to tell of so many circuits each. */
  roundMs(circuits: number): number {
    const commands = this.#heartbeat.replicas * circuits;
    return (commands / this.#pace.maxCommandsPerSecond) * SECOND_MS;
  }

  add(circuit: FleetCircuit, at: number): void {
    this.#active.add(circuit);
    // While the store is away nothing is told: what there is to tell stays where it is.
    if (this.#link.isDegraded) return;
    const now = this.#environment.clock.now();
    if (this.#flushAt < now) this.#flushAt = now + this.#intervalMs();
    this.#wakeAt(Math.min(at, this.#flushAt));
  }

  remove(circuit: FleetCircuit): void {
    this.#active.delete(circuit);
  }

  /** The store is away: it is looked after by the heartbeat alone. */
  lost(): void {
    this.#heartbeat.hurry();
    this.#wakeAt(this.#heartbeat.nextAt);
  }

  /** The store is away, and may be back. */
  stirred(): void {
    this.#heartbeat.lookSoon();
    this.#wakeAt(this.#heartbeat.nextAt);
  }

  /**
   * The store is back: circuits tell what was counted in the meantime one by one, and what comes then is told with
   * the next flush. All replicas find it at the same moment, so theirs are a whole interval apart.
   */
  found(): void {
    const { clock, random } = this.#environment;
    const now = clock.now();
    this.#flushAt = now + this.#intervalMs() * (1 + random());
    if (this.#active.size > 0) this.#wakeAt(this.#flushAt);
  }

  /** Everything that there is to tell is told now. */
  flush(): void {
    const now = this.#environment.clock.now();
    for (const circuit of this.#active) circuit.step(now, true);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #wakeAt(at: number): void {
    const wantedAt = Math.max(at, this.#roundAt + ROUND_GAP_MS);
    if (this.#isStopped || wantedAt >= this.#firesAt) return;
    this.#cancelTimer?.();
    this.#firesAt = wantedAt;
    const { clock } = this.#environment;
    const delayMs = Math.max(0, wantedAt - clock.now());
    this.#cancelTimer = clock.setTimer(this.#round, delayMs, true);
  }

  readonly #round = (): void => {
    const now = this.#environment.clock.now();
    this.#firesAt = Infinity;
    this.#cancelTimer = undefined;
    this.#roundAt = now;
    this.#heartbeat.beatWhenDue(now, () => {
      this.#wakeAt(this.#heartbeat.nextAt);
    });
    let nextAt = this.#heartbeat.nextAt;
    if (!this.#link.isDegraded) nextAt = Math.min(nextAt, this.#stepAll(now));
    this.#wakeAt(nextAt);
  };

  #stepAll(now: number): number {
    const isFlush = now >= this.#flushAt;
    if (isFlush && this.#active.size > 0) this.#flushAt = now + this.#intervalMs();
    let nextAt = Infinity;
    for (const circuit of this.#active) {
      nextAt = Math.min(nextAt, circuit.step(now, isFlush));
      if (isFlush && circuit.isIdle) {
        this.#active.delete(circuit);
        circuit.rest();
      }
    }
    return this.#active.size > 0 ? Math.min(nextAt, this.#flushAt) : nextAt;
  }

  #intervalMs(): number {
    const [least, most] = this.#pace.flushMs;
    const random = this.#environment.random();
    return Math.max(least + random * (most - least), this.leastIntervalMs * (1 + random / 4));
  }
}
