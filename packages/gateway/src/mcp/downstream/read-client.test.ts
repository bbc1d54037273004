import { expect, test } from 'vitest';
import { readClient } from './read-client.ts';

const INFO = { name: 'client', version: '1' };

test.each([
  ['a handshake', { params: { clientInfo: INFO, capabilities: { roots: {} } } }],
  [
    'a modern request',
    {
      params: {
        _meta: {
          'io.modelcontextprotocol/clientInfo': INFO,
          'io.modelcontextprotocol/clientCapabilities': { roots: {} },
        },
      },
    },
  ],
])('%s says who the client is', (_what, message) => {
  const capabilities = { roots: { listChanged: true } };
  expect(readClient(message)).toEqual({ info: INFO, capabilities });
});

test.each([undefined, 'odd', {}, { params: [] }, { params: { clientInfo: INFO } }])(
  '%j does not',
  (message) => {
    expect(readClient(message)).toBeUndefined();
  },
);

test('a client without a proper name gets ours', () => {
  const message = { params: { clientInfo: { name: 7 }, capabilities: {} } };
  expect(readClient(message)?.info.name).toBe('holdfast');
});
