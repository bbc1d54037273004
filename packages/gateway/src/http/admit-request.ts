import type { IncomingMessage } from 'node:http';
import type { HostCheck } from './host-check.ts';
import { checkOrigin, isFollowedLink } from './origin-check.ts';
import { RequestError } from './request-error.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RequestTarget } from './request-target.ts';

export interface AdmissionRules {
  readonly checkHost: HostCheck;
  readonly maxHeaders: number;
  /** Throws a `RequestError` for those who may not come at all. Default: everybody may. */
  readonly checkPeer?: (request: IncomingMessage) => void;
  /** What is asked for, below the place where we are mounted. Default: the URL of the request. */
  readonly targetOf?: (request: IncomingMessage) => string;
  /** Whether what is asked for tells nothing, so that links on other pages may lead to it. */
  readonly isOpen: (method: string, path: string) => boolean;
}

/** Lets in a request by its form, its host and its origin, or throws a `RequestError`. Who sent it is asked later. */
export function admitRequest(request: IncomingMessage, rules: AdmissionRules): RequestTarget {
  const { method = '', headers, rawHeaders } = request;
  const headerCount = rawHeaders.length / 2;
  if (headerCount > rules.maxHeaders) {
    throw new RequestError(
      431,
      'too-large',
      `a request may have ${rules.maxHeaders} headers, this one has ${headerCount}`,
    );
  }
  rules.checkPeer?.(request);
  const host = rules.checkHost(rawHeaders);
  const target = parseRequestTarget(rules.targetOf?.(request) ?? request.url ?? '');
  if (!isFollowedLink(method, headers) || !rules.isOpen(method, target.path)) {
    checkOrigin(method, headers, host);
  }
  return target;
}
