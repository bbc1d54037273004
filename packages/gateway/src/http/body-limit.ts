import type { GatewayConfig } from '../config/gateway-config.ts';
import { RequestError } from './request-error.ts';

/** How long a body may be, and what a person sets for that. */
export interface BodyLimit {
  readonly maxBytes: number;
  /** The key of the configuration. */
  readonly key: string;
}

/** The error for a body that has more than `limit`, such as `5 bytes`. */
export function tooLarge({ key }: BodyLimit, limit: string, received: string): RequestError {
  const message = `the body may have ${limit} (${key}), this one has ${received}`;
  return new RequestError(413, 'too-large', message);
}

/** Of a request for a turn, a message of MCP, and text of a model to be parsed. */
export function requestLimit({ proxy }: Pick<GatewayConfig, 'proxy'>): BodyLimit {
  return { maxBytes: proxy.maxRequestBytes, key: 'proxy.maxRequestBytes' };
}

/** Of any other request to the API of the gateway. */
export function apiLimit({ api }: Pick<GatewayConfig, 'api'>): BodyLimit {
  return { maxBytes: api.maxRequestBytes, key: 'api.maxRequestBytes' };
}
