import type { FailureType } from '../../internal/failure-types.ts';

const STATUSES: Readonly<Record<number, FailureType>> = {
  400: 'invalid_args',
  401: 'auth',
  402: 'resource',
  403: 'permission',
  404: 'not_found',
  405: 'invalid_args',
  406: 'invalid_args',
  407: 'auth',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  411: 'invalid_args',
  412: 'conflict',
  413: 'too_large',
  414: 'too_large',
  415: 'invalid_args',
  416: 'invalid_args',
  421: 'network',
  422: 'invalid_args',
  423: 'conflict',
  425: 'rate_limit',
  426: 'invalid_args',
  428: 'conflict',
  429: 'rate_limit',
  431: 'too_large',
  451: 'permission',
  504: 'timeout',
  507: 'resource',
  511: 'auth',
  522: 'timeout',
  524: 'timeout',
};

/** What an HTTP status means; undefined when it is no error. */
export function typeOfStatus(status: number): FailureType | undefined {
  if (status < 400 || status > 599) return undefined;
  return STATUSES[status] ?? (status < 500 ? 'invalid_args' : 'server_error');
}
