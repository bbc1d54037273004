import { describe, expect, it } from 'vitest';
import { CIRCUIT_DEFAULTS } from '@holdfast/core/guard';
import type { GuardEvent, TransitionReason } from '@holdfast/core/guard';
import { FAULT_DEFAULTS, FAULT_KINDS } from '@holdfast/core/testing';
import { code, defaultsIn, tableRows } from './support/markdown-tables.ts';

const options = '| option | default | what it does |';

/** The compiler sees to it that none is missing. */
const REASONS: Readonly<Record<TransitionReason, true>> = {
  failure_threshold_exceeded: true,
  failure_ratio_exceeded: true,
  slow_ratio_exceeded: true,
  recovery_timeout_expired: true,
  probe_succeeded: true,
  probe_failed: true,
  probe_slow: true,
  retry_after: true,
  isolated: true,
  reset: true,
};

type CircuitEvent = Extract<GuardEvent, { circuit: string }>['type'];
const EVENTS: Readonly<Record<CircuitEvent, true>> = {
  'circuit-opened': true,
  'circuit-half-opened': true,
  'circuit-closed': true,
  'circuit-refused': true,
};

/** Every name in the first column; a cell may have several. */
const names = (page: string, header: string): string[] =>
  tableRows(page, header).flatMap(([cell]) => cell!.split(', ').map(code));

describe('tables of the circuit breaker in the docs', () => {
  const page = 'docs/circuit-breaker.md';

  it('state the options that are in force', () => {
    expect(defaultsIn(page, options)).toEqual(CIRCUIT_DEFAULTS);
  });

  it('list every event and every reason', () => {
    expect(names(page, '| event | when | fields |').sort()).toEqual(Object.keys(EVENTS).sort());
    const reasons = names(page, '| reason | why the state changed |');
    expect(reasons.sort()).toEqual(Object.keys(REASONS).sort());
  });
});

describe('tables of testing in the docs', () => {
  const page = 'docs/testing.md';

  it('state the options that are in force', () => {
    expect(defaultsIn(page, options)).toEqual(FAULT_DEFAULTS);
  });

  it('list every fault', () => {
    expect(names(page, '| fault | what happens | the tool is called |')).toEqual(FAULT_KINDS);
  });
});
