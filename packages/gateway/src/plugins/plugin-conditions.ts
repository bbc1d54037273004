import type { PluginCondition } from './plugin-entry.ts';
import type { PluginCall } from './plugin-run.ts';
import { fitsUser } from './user-pattern.ts';

/** What conditions look at. */
export type ConditionSubject = Pick<PluginCall, 'tool' | 'server' | 'tenant' | 'user'>;

/** Whether one of the conditions fits the call; without any, every call does. */
export function fitsConditions(
  conditions: readonly PluginCondition[],
  subject: ConditionSubject,
): boolean {
  return conditions.length === 0 || conditions.some((condition) => fits(condition, subject));
}

function fits(
  condition: PluginCondition,
  { tool, server, tenant, user }: ConditionSubject,
): boolean {
  const { user_patterns: patterns = [] } = condition;
  return (
    isAmong(condition.tools, tool) &&
    isAmong(condition.server_ids, server) &&
    isAmong(condition.tenant_ids, tenant) &&
    (patterns.length === 0 ||
      (user !== undefined && patterns.some((pattern) => fitsUser(pattern, user))))
  );
}

/** An empty list asks for nothing; a name that is not known is not among those that are asked for. */
function isAmong(wanted: readonly string[] = [], name: string | undefined): boolean {
  return wanted.length === 0 || (name !== undefined && wanted.includes(name));
}
