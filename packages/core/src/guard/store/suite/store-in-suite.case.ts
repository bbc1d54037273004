import type {
  CircuitReport,
  CircuitStore,
  FleetRules,
  LeaseReply,
  OverrideCommand,
  ProbeSettlement,
  SharedCircuit,
} from '../circuit-store.ts';

/** A store that is empty at first, and two ways to it: those of two replicas. */
export interface StoreUnderTest {
  readonly one: CircuitStore;
  readonly other: CircuitStore;
  /** Lets so much of the store's time pass. */
  advance(ms: number): Promise<void>;
  /** Loses everything, as a store that was started anew. */
  empty(): Promise<void>;
  /** How long the store keeps the circuit if nobody touches it. */
  keptForMs(circuit: string): Promise<number>;
  close(): Promise<void>;
}

/** Short enough to be waited for, long enough not to be over by accident. */
export const SOON_MS = 300;
export const LATER_MS = 60_000;
/** Between what is asked for and what a store on another machine makes of it. */
export const SLACK_MS = 5_000;

const RULES: FleetRules = {
  consecutiveFailures: Infinity,
  failureRatio: 0.5,
  slowCallRatio: Infinity,
  windowMs: LATER_MS,
  minCalls: 10,
  openForMs: LATER_MS,
  openForGrowth: 1,
  maxOpenForMs: 600_000,
  probes: 1,
  successesToClose: 1,
};

export function rules(given: Partial<FleetRules> = {}): FleetRules {
  return { ...RULES, ...given };
}

export function report(
  given: Omit<Partial<CircuitReport>, 'rules'> & { rules?: Partial<FleetRules> } = {},
): CircuitReport {
  return {
    replica: 'a',
    scope: 'fleet',
    calls: 0,
    failures: 0,
    slow: 0,
    trailingFailures: given.failures ?? 0,
    version: 0,
    tokensTaken: 0,
    tokensGained: 0,
    tokenCapacity: 500,
    ...given,
    rules: rules(given.rules),
  };
}

/** Enough failures to open it. */
export const FAILED = report({ calls: 10, failures: 10 });

/** The store that a test of the suite has, and what tests do with it. */
export class StoreInSuite {
  readonly under: StoreUnderTest;
  readonly one: CircuitStore;
  readonly other: CircuitStore;

  constructor(under: StoreUnderTest) {
    this.under = under;
    this.one = under.one;
    this.other = under.other;
  }

  read(circuit = 'search', version = 0): Promise<SharedCircuit> {
    return this.other.report(circuit, report({ replica: 'reader', version }));
  }

  lease(
    store: CircuitStore,
    token: string,
    ttlMs = LATER_MS,
    given: Partial<FleetRules> = {},
  ): Promise<LeaseReply> {
    return store.lease('search', { replica: 'a', token, ttlMs, rules: rules(given) });
  }

  settle(
    token: string,
    outcome: ProbeSettlement['outcome'],
    given: Partial<FleetRules> = {},
  ): Promise<SharedCircuit> {
    return this.one.settle('search', { replica: 'a', token, outcome, rules: rules(given) });
  }

  override(command: OverrideCommand): Promise<SharedCircuit> {
    return this.one.override('search', command);
  }

  /** Opens it for a short time and waits until that is over. */
  async halfOpen(given: Partial<FleetRules> = {}): Promise<SharedCircuit> {
    const opening = report({ calls: 10, failures: 10, rules: { ...given, openForMs: SOON_MS } });
    await this.one.report('search', opening);
    await this.under.advance(SOON_MS + 20);
    return this.read();
  }
}
