import type {
  CircuitReport,
  LeaseRequest,
  OverrideCommand,
  ProbeSettlement,
} from '../circuit-store.ts';

// The order of each list is told at the beginning of the script of its name, in guard/lua/.

export function reportArguments(report: CircuitReport): string[] {
  const { rules, held } = report;
  return [
    report.replica,
    numberText(report.version),
    report.scope,
    numberText(report.calls),
    numberText(report.failures),
    numberText(report.slow),
    numberText(report.trailingFailures),
    report.trip ?? '',
    numberText(report.retryAfterMs ?? 0),
    numberText(report.tokensTaken),
    numberText(report.tokensGained),
    numberText(report.tokenCapacity),
    numberText(rules.consecutiveFailures),
    numberText(rules.failureRatio),
    numberText(rules.slowCallRatio),
    numberText(rules.windowMs),
    numberText(rules.minCalls),
    numberText(rules.openForMs),
    numberText(rules.openForGrowth),
    numberText(rules.maxOpenForMs),
    numberText(rules.probes),
    ...(held === undefined
      ? ['']
      : [
          held.state,
          numberText(held.openForMs),
          numberText(held.openings),
          held.reason,
          ...optional(held.note),
        ]),
  ];
}

export function leaseArguments({ token, ttlMs, rules }: LeaseRequest): string[] {
  return [token, numberText(ttlMs), numberText(rules.windowMs), numberText(rules.probes)];
}

export function settleArguments(settlement: ProbeSettlement): string[] {
  const { replica, token, outcome, retryAfterMs = 0, rules } = settlement;
  return [
    replica,
    token,
    outcome,
    numberText(retryAfterMs),
    numberText(rules.windowMs),
    numberText(rules.openForMs),
    numberText(rules.openForGrowth),
    numberText(rules.maxOpenForMs),
    numberText(rules.successesToClose),
    numberText(rules.probes),
  ];
}

export function overrideArguments(command: OverrideCommand): string[] {
  const forMs = command.type === 'isolate' ? command.forMs : 0;
  return [command.type, command.replica, numberText(forMs), ...optional(command.note)];
}

/** As the scripts read it. */
export function numberText(value: number): string {
  return value === Infinity ? 'inf' : String(value);
}

/** Only the last argument can be left out. */
const optional = (text: string | undefined): string[] => (text === undefined ? [] : [text]);
