export type {
  AfterContext,
  AfterExtension,
  BeforeContext,
  BeforeExtension,
  BeforeReply,
  MessageMask,
  ToolResponse,
} from './extension.ts';
export type { HookData } from './hook-data.ts';
export type { HookEvent, HookEventListener } from './hook-event.ts';
export { compareHookNames } from './hook-order.ts';
export { HOOK_POINTS } from './hook-point.ts';
export type { HookPoint } from './hook-point.ts';
export { HOOK_DEFAULTS, HookRegistry } from './hook-registry.ts';
export type { HookExtensions, HookRegistryOptions } from './hook-registry.ts';
export type { AfterOutcome, AfterRun, BeforeOutcome, BeforeRun, HookText } from './hook-run.ts';
export { secretsMask } from './secrets-mask.ts';
export { HoldfastError, InvalidOptionError } from '../errors.ts';
export type { ErrorCode } from '../errors.ts';
