import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from './request-error.ts';

/**
 * Throws a `RequestError` if there is a body that is not plain `application/json`. Forms and `text/plain` are
 * what a page can send anywhere without asking first, so they are not read as JSON, however well they would
 * parse. A compressed body could be small and become huge.
 */
export function checkContentType(headers: Readonly<IncomingHttpHeaders>): void {
  if (!hasBody(headers)) return;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new RequestError(
      415,
      'invalid-request',
      `the body has to be sent without content-encoding; this one is ${encoding}`,
    );
  }
  const given = headers['content-type'];
  const [type = '', ...parameters] = (given ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  if (type.trim() === 'application/json' && (charset === undefined || isUtf8(charset))) return;
  throw new RequestError(
    415,
    'invalid-request',
    'the body has to be JSON in UTF-8, sent with content-type: application/json; ' +
      (given === undefined ? 'no content-type was sent' : `the content-type is ${given}`),
  );
}

function hasBody(headers: Readonly<IncomingHttpHeaders>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function isUtf8(charset: string): boolean {
  return ['charset=utf-8', 'charset="utf-8"', 'charset=utf8'].includes(charset);
}
