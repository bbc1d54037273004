import type { ProxyConfig } from '../config/gateway-config.ts';
import type { BodyLimit } from '../http/body-limit.ts';
import { RequestError } from '../http/request-error.ts';

/** How much content of one response may be held in memory. */
export function responseLimit({ maxResponseBytes }: ProxyConfig): BodyLimit {
  return { maxBytes: maxResponseBytes, key: 'proxy.maxResponseBytes' };
}

/** The error for a response that has more than `limit`, such as `5 bytes`. */
export function responseTooLarge({ key }: BodyLimit, limit: string): RequestError {
  const message = `the response of the upstream has more than ${limit}, the most that is held in memory (${key})`;
  return new RequestError(502, 'upstream', message);
}
