import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from './request-error.ts';

/**
 * Refuses what a web page of somebody else had a browser send: it would spend the keys of whoever runs the
 * gateway. `host` is the Host header, known to be ours. No answer ever carries a CORS header, so preflights
 * are refused as well.
 */
export function checkOrigin(
  method: string,
  headers: Readonly<IncomingHttpHeaders>,
  host: string,
): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    throw refusal("has an Origin header that is not the gateway's own address");
  }
  // Any other value, two of them put together too, is a page of another site or another port.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw refusal('was sent by a browser for a page of another origin (Sec-Fetch-Site)');
  }
  if (method === 'OPTIONS') throw refusal('asks for what other origins may do: nothing (OPTIONS)');
}

/** Whether a browser opens a page in a tab of its own: whoever linked to it cannot see what comes back. */
export function isFollowedLink(method: string, headers: Readonly<IncomingHttpHeaders>): boolean {
  const { origin, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  return (
    method === 'GET' && origin === undefined && mode === 'navigate' && destination === 'document'
  );
}

function isOwnOrigin(origin: string, host: string): boolean {
  const given = origin.toLowerCase();
  const own = host.toLowerCase();
  return given === `http://${own}` || given === `https://${own}`;
}

function refusal(why: string): RequestError {
  return new RequestError(
    403,
    'permission',
    `this request ${why}; web pages are not let in, call the gateway from a program`,
  );
}
