import type { Check } from './run-conformance.ts';

/** A check that passed direct and did not pass through a gateway. */
export interface LostCheck {
  readonly scenario: string;
  readonly id: string;
  readonly description: string;
  /** What the gateway's run says of it, one line for each time it was made. */
  readonly seen: readonly string[];
}

/** Every check that passed more often direct than it did through a gateway. */
export function lostChecks(
  direct: readonly Check[],
  through: readonly Check[],
): readonly LostCheck[] {
  const after = groupChecks(through);
  return Array.from(groupChecks(direct)).flatMap(([key, checks]) => {
    const same = after.get(key) ?? [];
    if (passed(same).length >= passed(checks).length) return [];
    const { scenario, id, description } = checks[0]!;
    const seen = same.map(({ status, message = 'no reason given' }) => `${status}: ${message}`);
    return [{ scenario, id, description, seen: seen.length > 0 ? seen : ['not checked'] }];
  });
}

/** Those that say that the server does what it has to. */
export const passed = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ status }) => status === 'SUCCESS');

/** Those that say that it does not. */
export const failed = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');

function groupChecks(checks: readonly Check[]): ReadonlyMap<string, readonly Check[]> {
  const groups = new Map<string, Check[]>();
  for (const check of checks) {
    const key = `${check.scenario} ${check.id} ${check.description}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [check]);
    else group.push(check);
  }
  return groups;
}
