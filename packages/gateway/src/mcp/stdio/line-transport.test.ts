import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { NotSentError } from '../call/not-sent-error.ts';
import { claimStdout } from './claim-stdout.ts';
import { LineTransport } from './line-transport.ts';

const PING: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };
const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function open(output: Writable = new PassThrough()): Promise<{
  readonly input: PassThrough;
  readonly transport: LineTransport;
  readonly messages: JSONRPCMessage[];
  readonly errors: Error[];
  readonly closed: () => number;
}> {
  const input = new PassThrough();
  const transport = new LineTransport({ input, output, log: memoryLogger(), maxLineBytes: 1000 });
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  let closed = 0;
  transport.onmessage = (message) => void messages.push(message);
  transport.onerror = (error) => void errors.push(error);
  transport.onclose = () => void (closed += 1);
  await transport.start();
  return { input, transport, messages, errors, closed: () => closed };
}

describe('our own input and output', () => {
  test('carry messages as lines', async () => {
    const output = new PassThrough();
    const { input, transport, messages } = await open(output);
    input.write(`${JSON.stringify(PING)}\nnoise\n${JSON.stringify(PING)}\n`);
    await soon();
    expect(messages).toEqual([PING, PING]);
    await transport.send(PING);
    expect(String(output.read())).toBe(`${JSON.stringify(PING)}\n`);
  });

  test('are over once when the client closes its end', async () => {
    const { input, transport, closed } = await open();
    input.end();
    await soon();
    await soon();
    expect(closed()).toBe(1);
    await expect(transport.send(PING)).rejects.toThrow(NotSentError);
    await transport.close();
    expect(closed()).toBe(1);
  });

  test('still carry what was sent before they close', async () => {
    const output = new PassThrough();
    const { transport } = await open(output);
    const sent = transport.send(PING);
    await transport.close();
    await sent;
    expect(String(output.read())).toBe(`${JSON.stringify(PING)}\n`);
    await soon();
    expect(output.writableFinished).toBe(true);
  });

  test('are over when the client reads no more', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const { transport, closed } = await open(output);
    await expect(transport.send(PING)).rejects.toThrow('EPIPE');
    await soon();
    expect(closed()).toBe(1);
  });

  test('are over when the input had ended before', async () => {
    const input = new PassThrough();
    input.destroy();
    const output = new PassThrough();
    const transport = new LineTransport({ input, output, log: memoryLogger() });
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await closed;
  });

  test('are over after a line that is too long, and say why', async () => {
    const { input, errors, closed } = await open();
    input.write('x'.repeat(1001));
    await soon();
    expect(errors.map(String)).toEqual(['Error: The client wrote a line longer than 1000 bytes']);
    expect(closed()).toBe(1);
  });

  test('are never written to by anybody else', async () => {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const ours = claimStdout(stdout, stderr);
    stdout.write('printed by a plugin\n');
    ours.write('a message\n');
    await soon();
    expect(String(stdout.read())).toBe('a message\n');
    expect(String(stderr.read())).toBe('printed by a plugin\n');
  });
});
