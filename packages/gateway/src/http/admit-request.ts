import type { IncomingMessage } from 'node:http';
import type { HostCheck } from './host-check.ts';
import { checkOrigin } from './origin-check.ts';
import { RequestError } from './request-error.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RequestTarget } from './request-target.ts';

export interface AdmissionRules {
  readonly checkHost: HostCheck;
  readonly maxHeaders: number;
}

/** Lets in a request by its form, its host and its origin, or throws a `RequestError`. Who sent it is asked later. */
export function admitRequest(request: IncomingMessage, rules: AdmissionRules): RequestTarget {
  const { method = '', url = '', headers, rawHeaders } = request;
  const headerCount = rawHeaders.length / 2;
  if (headerCount > rules.maxHeaders) {
    throw new RequestError(
      431,
      'too-large',
      `a request may have ${rules.maxHeaders} headers, this one has ${headerCount}`,
    );
  }
  const host = rules.checkHost(rawHeaders);
  checkOrigin(method, headers, host);
  return parseRequestTarget(url);
}
