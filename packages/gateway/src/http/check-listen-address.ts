import { isLoopback } from './is-loopback.ts';

/** Throws if `host` could be reached from other machines, and no token keeps them out. */
export function checkListenAddress(host: string, token: string | undefined): void {
  if (token === '') throw new Error('the token is empty: set one, or leave it out');
  if (token !== undefined || isLoopback(host)) return;
  throw new Error(
    `cannot listen on ${host} without a token: other machines could use the gateway and its keys. ` +
      'Set a token, or listen on 127.0.0.1.',
  );
}
