import { matchesPattern } from '../../proxy/upstream/matches-pattern.ts';
import type { McpServerConfig } from '../mcp-config.ts';

/** Whether a tool is shown to clients, by the name that its server has for it. What is denied is not allowed. */
export function isShown(
  name: string,
  { allow, deny }: Pick<McpServerConfig, 'allow' | 'deny'>,
): boolean {
  const fits = (pattern: string): boolean => matchesPattern(pattern, name);
  return allow.some(fits) && !deny.some(fits);
}
