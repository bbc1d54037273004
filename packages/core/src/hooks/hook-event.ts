import type { HookPoint } from './hook-point.ts';

/** What went wrong in an extension. The others ran all the same. */
export type HookEvent =
  | {
      readonly type: 'extension-failed';
      readonly point: HookPoint;
      readonly extension: string;
      readonly toolName: string;
      readonly error: unknown;
    }
  | {
      readonly type: 'extension-timed-out';
      readonly point: HookPoint;
      readonly extension: string;
      readonly toolName: string;
      readonly timeoutMs: number;
    };

/** Is told of extensions that fail. */
export type HookEventListener = (event: HookEvent) => void;
