import type { FailureType } from '../../internal/failure-types.ts';

/** What an exit code says by itself, whatever program ended with it. */
export const EXIT_CODES: Readonly<Record<number, FailureType>> = Object.freeze({
  64: 'invalid_args',
  65: 'syntax',
  66: 'not_found',
  68: 'network',
  69: 'server_error',
  77: 'permission',
  124: 'timeout',
  126: 'permission',
  127: 'not_found',
  130: 'cancelled',
  137: 'resource',
  143: 'cancelled',
  // Windows: interrupted, access violation, out of memory, a library is missing.
  3221225786: 'cancelled',
  3221225477: 'execution',
  3221225495: 'resource',
  3221225781: 'dependency',
});

/** What a signal says. A process that was killed was most often out of memory. */
export const SIGNALS: Readonly<Record<string, FailureType>> = Object.freeze({
  SIGINT: 'cancelled',
  SIGTERM: 'cancelled',
  SIGHUP: 'cancelled',
  SIGKILL: 'resource',
  SIGXCPU: 'resource',
  SIGXFSZ: 'resource',
  SIGALRM: 'timeout',
});

/** The exit codes of curl, which it prints: `curl: (6) …`. */
export const CURL_CODES: Readonly<Record<number, FailureType>> = Object.freeze({
  1: 'invalid_args',
  2: 'execution',
  3: 'invalid_args',
  5: 'network',
  6: 'network',
  7: 'network',
  9: 'permission',
  16: 'network',
  18: 'network',
  23: 'execution',
  26: 'not_found',
  27: 'resource',
  28: 'timeout',
  35: 'network',
  37: 'not_found',
  47: 'network',
  51: 'network',
  52: 'network',
  55: 'network',
  56: 'network',
  58: 'network',
  60: 'network',
  63: 'too_large',
  67: 'auth',
  77: 'network',
  78: 'not_found',
  92: 'network',
});

/** Codes of JSON-RPC and of MCP. */
export const RPC_CODES: Readonly<Record<number, FailureType>> = Object.freeze({
  [-32700]: 'syntax',
  [-32600]: 'invalid_args',
  [-32601]: 'not_found',
  [-32602]: 'invalid_args',
  [-32603]: 'server_error',
  [-32001]: 'timeout',
  [-32002]: 'not_found',
  [-32800]: 'cancelled',
});

/** Ended because whoever read its output stopped reading, as in `… | head`: no failure. */
export const SIGPIPE_EXIT = 141;
