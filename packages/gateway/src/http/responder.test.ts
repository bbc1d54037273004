import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { ManualClock } from '@holdfast/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { createHostCheck } from './host-check.ts';
import { Responder } from './responder.ts';

test('does not wait for a request whose client had gone before it was handed over', async () => {
  const responder = new Responder({
    routes: [{ method: 'GET', path: '/', handle: () => new Promise(() => undefined) }],
    checkHost: createHostCheck({ listenHost: '127.0.0.1', hosts: [], setting: 'hosts' }),
    maxHeaders: 10,
    log: memoryLogger(),
    // Nothing but the end of the request ends the waiting.
    clock: new ManualClock(),
    shutdownGraceMs: 1000,
  });
  // As a framework does that reads a session from a database first.
  const server = createServer((request, response) => {
    response.once('close', () => {
      setImmediate(() => {
        responder.respond(request, response);
        server.emit('handed-over');
      });
    });
    client.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await once(server, 'handed-over');

  await responder.close();

  expect(server.listening).toBe(true);
});
