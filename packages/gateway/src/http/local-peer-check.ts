import type { IncomingMessage } from 'node:http';
import { isLoopback } from './is-loopback.ts';
import { RequestError } from './request-error.ts';

/**
 * Refuses what comes from another machine. Where somebody else listens for us, nobody can say beforehand who
 * reaches us; without a token only this machine may, as where we listen ourselves.
 */
export function checkLocalPeer({ socket }: IncomingMessage): void {
  const { remoteAddress } = socket;
  // A socket of this machine's file system has none.
  if (remoteAddress === undefined || isLoopback(remoteAddress)) return;
  throw new RequestError(
    403,
    'permission',
    'other machines need a token, and none is set: set one, or use Holdfast from its own machine',
  );
}
