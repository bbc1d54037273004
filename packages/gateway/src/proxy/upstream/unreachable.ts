import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { RequestError } from '../../http/request-error.ts';
import { describeFailure } from './describe-failure.ts';

/** The error for a client where an upstream could not be asked for something else than a turn. */
export function unreachable(error: unknown, { name, url }: UpstreamConfig): RequestError {
  const { kind, message, isLocal } = describeFailure(error, name, url);
  const status = isLocal === true ? 503 : kind === 'timeout' ? 504 : 502;
  return new RequestError(status, kind, message);
}
