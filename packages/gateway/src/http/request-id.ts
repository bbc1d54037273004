import { randomUUID } from 'node:crypto';

/** The id a client gave its request, if it is safe in logs, headers and file names. */
export function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^\w[\w.-]{0,63}$/.test(header) ? header : undefined;
}

/** An id for a request that has none. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
