import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { checkLocalPeer } from './local-peer-check.ts';

const from = (remoteAddress: string | undefined): IncomingMessage =>
  ({ socket: { remoteAddress } }) as IncomingMessage;

describe('checkLocalPeer', () => {
  it.each(['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1', undefined])(
    'lets in this machine (%s)',
    (address) => {
      expect(() => checkLocalPeer(from(address))).not.toThrow();
    },
  );

  it.each(['10.0.0.7', '::ffff:10.0.0.7', 'fe80::1', '2001:db8::1'])(
    'refuses another machine (%s)',
    (address) => {
      expect(() => checkLocalPeer(from(address))).toThrow('other machines need a token');
    },
  );
});
