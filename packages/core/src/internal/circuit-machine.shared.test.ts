import { describe, expect, it } from 'vitest';
import { CIRCUIT_RULES, CircuitMachine } from './circuit-machine.ts';
import type { CircuitRules, SharedState, Transition } from './circuit-machine.ts';

const OPEN: SharedState = {
  state: 'open',
  openForMs: 1000,
  openings: 2,
  reason: 'failure_ratio_exceeded',
};
const HALF_OPEN: SharedState = {
  state: 'half-open',
  openForMs: 0,
  openings: 2,
  reason: 'recovery_timeout_expired',
};
const CLOSED: SharedState = {
  state: 'closed',
  openForMs: 0,
  openings: 0,
  reason: 'probe_succeeded',
};

function machineWith(rules: Partial<CircuitRules> = {}): {
  machine: CircuitMachine;
  told: string[];
} {
  const told: string[] = [];
  const transitioned = ({ from, to, reason }: Transition): void =>
    void told.push(`${from} ${to} ${reason}`);
  const machine = new CircuitMachine({ ...CIRCUIT_RULES, ...rules }, () => 0, { transitioned });
  return { machine, told };
}

function trip(machine: CircuitMachine, now: number): void {
  for (let call = 0; call < 5; call++) machine.settle(machine.acquire(now)!, 'failure', now);
}

describe('a machine that is shared', () => {
  it('is open for as long as the others are', () => {
    const { machine, told } = machineWith();
    machine.adopt(OPEN, 500);

    expect(machine.stateAt(1499)).toBe('open');
    expect(machine.retryAfterMs(1499)).toBe(1);
    expect(machine.stateAt(1500)).toBe('half-open');
    expect(told).toEqual([
      'closed open failure_ratio_exceeded',
      'open half-open recovery_timeout_expired',
    ]);
  });

  it('lets no probe through that it was not granted', () => {
    const { machine } = machineWith();
    machine.adopt(OPEN, 0);
    expect(machine.acquire(1000)).toBeUndefined();
    expect(machine.retryAfterMs(1000)).toBe(100);
    machine.withdrawGrants(4000);
    expect(machine.retryAfterMs(1000)).toBe(3000);
    machine.grant(2000);
    expect(machine.retryAfterMs(1000)).toBe(0);

    expect(machine.acquire(1000)?.isProbe).toBe(true);
    expect(machine.acquire(1000)).toBeUndefined();
  });

  it('lets no probe through by a grant whose time is over', () => {
    const { machine } = machineWith();
    machine.adopt(HALF_OPEN, 0);
    machine.grant(1000);

    expect(machine.retryAfterMs(999)).toBe(0);
    expect(machine.retryAfterMs(1000)).toBe(100);
    expect(machine.acquire(1000)).toBeUndefined();
    expect(machine.acquire(1001)).toBeUndefined();
  });

  it('takes no grant from the time when it probed by itself', () => {
    const { machine } = machineWith({ openForMs: 1000 });
    trip(machine, 0);
    expect(machine.stateAt(1000)).toBe('half-open');
    machine.grant(9000);
    machine.adopt(HALF_OPEN, 1000);

    expect(machine.acquire(1000)).toBeUndefined();
  });

  it('says why it probes, and says it once', () => {
    const { machine, told } = machineWith();
    machine.adopt(HALF_OPEN, 0);
    machine.grant(1000);
    const probe = machine.acquire(0)!;
    machine.adopt(HALF_OPEN, 10);

    expect(told).toEqual(['closed half-open recovery_timeout_expired']);
    machine.settle(probe, 'success', 20);
    expect(machine.stateAt(20)).toBe('closed');
  });

  it('says something where the others do not say why', () => {
    const { machine, told } = machineWith();
    machine.adopt({ ...OPEN, reason: undefined }, 0);
    machine.adopt({ ...CLOSED, reason: undefined }, 10);

    expect(told).toEqual(['closed open failure_threshold_exceeded', 'open closed probe_succeeded']);
  });

  it('takes no grant while it is open, closed or by itself', () => {
    const { machine } = machineWith({ openForMs: 1000 });
    machine.grant(9000);
    machine.adopt(OPEN, 0);
    machine.grant(9000);
    expect(machine.acquire(1000)).toBeUndefined();
    machine.adopt({ ...CLOSED }, 1000);
    machine.grant(9000);
    machine.adopt(HALF_OPEN, 1000);

    expect(machine.acquire(1000)).toBeUndefined();
  });

  it('closes at once when its probe succeeds, unless there have to be more', () => {
    for (const [successesToClose, state, isShared] of [
      [1, 'closed', false],
      [2, 'half-open', true],
    ] as const) {
      const { machine } = machineWith({ successesToClose });
      machine.adopt(HALF_OPEN, 0);
      machine.grant(10);
      machine.settle(machine.acquire(5)!, 'success', 6);

      expect(machine.stateAt(6)).toBe(state);
      expect(machine.isShared).toBe(isShared);
    }
  });

  it('leaves it to all together to count how many probes succeeded', () => {
    const { machine } = machineWith({ successesToClose: 2 });
    machine.adopt(HALF_OPEN, 0);
    for (let probe = 0; probe < 3; probe++) {
      machine.grant(10);
      machine.settle(machine.acquire(5)!, 'success', 6);
    }

    expect(machine.stateAt(6)).toBe('half-open');
  });

  it('opens for longer by how often the others did', () => {
    const { machine } = machineWith({ openForMs: 1000, openForGrowth: 2 });
    machine.adopt(HALF_OPEN, 0);
    machine.grant(10);
    machine.settle(machine.acquire(5)!, 'failure', 5);

    expect(machine.retryAfterMs(5)).toBe(4000);
    expect(machine.isShared).toBe(true);
  });

  it('closes when the others do', () => {
    const { machine, told } = machineWith();
    machine.adopt(OPEN, 0);
    machine.adopt(CLOSED, 10);

    expect(machine.acquire(10)?.isProbe).toBe(false);
    expect(machine.isShared).toBe(false);
    expect(told.at(-1)).toBe('open closed probe_succeeded');
  });

  it('is by itself again once it was reset', () => {
    const { machine } = machineWith({ openForMs: 1000 });
    machine.adopt(OPEN, 0);
    machine.reset(10);
    expect(machine.isShared).toBe(false);
    trip(machine, 10);

    expect(machine.acquire(1010)?.isProbe).toBe(true);
  });

  it('probes by itself once it goes alone', () => {
    const { machine } = machineWith();
    machine.adopt(OPEN, 0);
    machine.goAlone();

    expect(machine.acquire(1000)?.isProbe).toBe(true);
    expect(machine.acquire(1000)).toBeUndefined();
  });
});

describe('a machine that opened by itself', () => {
  it('stays open when the others close', () => {
    const { machine, told } = machineWith();
    trip(machine, 0);
    machine.adopt(CLOSED, 10);

    expect(machine.stateAt(10)).toBe('open');
    expect(told).toHaveLength(1);
  });

  it('closes when somebody reset it', () => {
    const { machine } = machineWith();
    trip(machine, 0);
    machine.adopt({ ...CLOSED, reason: 'reset' }, 10);

    expect(machine.stateAt(10)).toBe('closed');
  });

  it('says nothing where the others open too, and goes by their time', () => {
    const { machine, told } = machineWith();
    trip(machine, 0);
    const { generation } = machine;
    machine.adopt(OPEN, 10);

    expect(machine.openUntil).toBe(1010);
    expect(machine.generation).toBe(generation);
    expect(told).toHaveLength(1);
  });

  it('says so where somebody isolates it', () => {
    const { machine, told } = machineWith();
    trip(machine, 0);
    machine.adopt({ ...OPEN, openForMs: Infinity, reason: 'isolated' }, 10);

    expect(machine.retryAfterMs(1e9)).toBe(Infinity);
    expect(told.at(-1)).toBe('open open isolated');
  });

  it('needs a grant when its time is over and the others are half-open', () => {
    const { machine } = machineWith({ openForMs: 5000 });
    trip(machine, 0);
    machine.adopt(HALF_OPEN, 10);
    expect(machine.stateAt(4999)).toBe('open');

    expect(machine.acquire(5000)).toBeUndefined();
    expect(machine.stateAt(5000)).toBe('half-open');
  });
});
