import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from './request-error.ts';

/** Where a client may show the token. */
const TOKEN_HEADERS = ['authorization', 'x-api-key', 'x-holdfast-token'] as const;

export type TokenHeader = (typeof TOKEN_HEADERS)[number];

/**
 * Throws a `RequestError` for a client that does not show the token. Returns the headers that hold it: they
 * are for the gateway, and no upstream may see them.
 */
export type TokenCheck = (headers: Readonly<IncomingHttpHeaders>) => readonly TokenHeader[];

/** The check for `token`; without one everybody is let in. */
export function createTokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return ownHeaders;
  const expected = hash(token);
  // Hashes have one length, and comparing them takes as long for a near miss as for any other.
  const isToken = (given: string): boolean => timingSafeEqual(hash(given), expected);
  return (headers) => {
    const holding = TOKEN_HEADERS.filter((name) => {
      const given = credentialIn(name, headers);
      return given !== undefined && isToken(given);
    });
    if (holding.length === 0) throw refusal(headers);
    return [...new Set([...holding, ...ownHeaders(headers)])];
  };
}

/** `x-holdfast-token` is ours whatever it holds. */
function ownHeaders(headers: Readonly<IncomingHttpHeaders>): readonly TokenHeader[] {
  return headers['x-holdfast-token'] === undefined ? [] : ['x-holdfast-token'];
}

function credentialIn(
  name: TokenHeader,
  headers: Readonly<IncomingHttpHeaders>,
): string | undefined {
  const value = headers[name];
  if (typeof value !== 'string') return undefined;
  if (name !== 'authorization') return value;
  return /^bearer +(\S+)$/i.exec(value)?.[1];
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refusal(headers: Readonly<IncomingHttpHeaders>): RequestError {
  const sent = TOKEN_HEADERS.filter((name) => headers[name] !== undefined);
  const arrived = sent.length === 0 ? 'none was sent' : `not what came in ${sent.join(', ')}`;
  return new RequestError(
    401,
    'authentication',
    `this gateway needs its token, as Authorization: Bearer, x-api-key or x-holdfast-token; ${arrived}`,
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}
