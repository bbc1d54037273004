import type { Failure } from './failure-class.ts';

/** Reads what was thrown. With `signal`, an abort of the caller is told from one of the tool. */
export function readThrown(error: unknown, signal?: AbortSignal): Failure {
  if (signal?.aborted === true) return { class: 'cancelled', message: 'cancelled', cause: error };
  const message = error instanceof Error ? error.message : String(error);
  return { class: 'tool-error', message, cause: error };
}

/** Reads what a tool returned: undefined unless the result itself says that it is an error. */
export function readReturned(value: unknown): Failure | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { is_error: snake, isError: camel } = value as { is_error?: unknown; isError?: unknown };
  if ((snake ?? camel) !== true) return undefined;
  return { class: 'tool-error', message: 'the tool reported an error', cause: value };
}
