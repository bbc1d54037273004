/** Where extensions run: before a tool does, and once its response is there. */
export type HookPoint = 'tool_execute_before' | 'tool_execute_after';

/** The places where extensions run. */
export const HOOK_POINTS: readonly HookPoint[] = Object.freeze([
  'tool_execute_before',
  'tool_execute_after',
]);
