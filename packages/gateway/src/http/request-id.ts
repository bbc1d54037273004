import { randomUUID } from 'node:crypto';
import type { Mask } from '../redact/redactor.ts';

/** The id a client gave its request, if it is safe in logs, headers and file names, and no secret by `mask`. */
export function givenRequestId(
  header: string | string[] | undefined,
  mask: Mask,
): string | undefined {
  const isSafe = typeof header === 'string' && /^\w[\w.-]{0,63}$/.test(header);
  return isSafe && mask(header) === header ? header : undefined;
}

/** An id for a request that has none. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
