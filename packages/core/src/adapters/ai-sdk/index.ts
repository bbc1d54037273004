export { guardTools } from './guard-tools.ts';
export type { GuardToolsOptions } from './guard-tools.ts';
export { repairToolCall } from './repair-tool-call.ts';
export type { RepairOptions, ToolCallLike } from './repair-tool-call.ts';
export { toolCallMiddleware } from './tool-call-middleware.ts';
export type {
  ModelAnswer,
  ModelCall,
  ModelStream,
  SpecificationVersion,
  ToolCallMiddleware,
  ToolCallMiddlewareOptions,
} from './tool-call-middleware.ts';
export { ToolFailedError } from '../guarding/tool-failed-error.ts';
export type { ToolSettings } from '../guarding/tool-settings.ts';
export type { AnswerCall } from '../reading/answer-call.ts';
export type { MendEvent, MendEventListener } from '../reading/mend-event.ts';
export type { MendOptions } from '../reading/mend-options.ts';
export { HoldfastError, InvalidOptionError } from '../../errors.ts';
export type { ErrorCode } from '../../errors.ts';
