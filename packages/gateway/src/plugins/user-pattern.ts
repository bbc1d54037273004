import type { ToolDefinition } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import { quoteText } from '../proxy/json/quote-text.ts';

/** Nobody has a name that is longer; what is longer fits no pattern. */
const MAX_USER_LENGTH = 1000;

/** Why a regular expression cannot be used: one that could backtrack would let a name stop the gateway. */
export function unsupportedPattern(pattern: string): string | undefined {
  const checked = checkToolCall(asCall(''), [asTool(pattern)], { fix: false });
  if (checked.warnings.length === 0) return undefined;
  return (
    'expected a regular expression without backreferences and lookaround, ' +
    `got ${quoteText(pattern)}`
  );
}

/**
 * Whether a pattern is found in the name of a user. Core's reader of patterns in schemas never backtracks, so a
 * name costs no more than its length, whatever the pattern.
 */
export function fitsUser(pattern: string, user: string): boolean {
  if (user.length > MAX_USER_LENGTH) return false;
  return checkToolCall(asCall(user), [asTool(pattern)], { fix: false }).ok;
}

function asCall(user: string): { name: string; arguments: { user: string } } {
  return { name: 'pattern', arguments: { user } };
}

function asTool(pattern: string): ToolDefinition {
  const user = { type: 'string', pattern };
  return { name: 'pattern', parameters: { type: 'object', properties: { user } } };
}
