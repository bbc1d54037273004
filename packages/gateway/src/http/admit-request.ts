import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
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
  checkEncoding(headers);
  rules.checkPeer?.(request);
  const host = rules.checkHost(rawHeaders);
  const target = parseRequestTarget(rules.targetOf?.(request) ?? request.url ?? '');
  if (!isFollowedLink(method, headers) || !rules.isOpen(method, target.path)) {
    checkOrigin(method, headers, host);
  }
  return target;
}

/** Node takes the chunks of whatever is encoded besides, and hands it on as it is; others would decode it. */
function checkEncoding({ 'transfer-encoding': encoding = 'chunked' }: IncomingHttpHeaders): void {
  if (encoding.trim().toLowerCase() === 'chunked') return;
  throw new RequestError(
    400,
    'invalid-request',
    'the body has to be sent with its length or with transfer-encoding: chunked, and in no other encoding',
  );
}
