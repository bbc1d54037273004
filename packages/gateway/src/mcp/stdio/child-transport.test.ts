import { readFileSync } from 'node:fs';
import { platform } from 'node:process';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { objectOf } from '../../proxy/json/json-fields.ts';
import { NotSentError } from '../call/not-sent-error.ts';
import { ChildTransport } from './child-transport.ts';
import {
  ECHO,
  isGroupAlive,
  makeChild,
  READY,
  startChild,
  untilMessages,
} from './run-child.case.ts';

/** Whether a process does anything yet. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const ping = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });
/** A script that lives until it is ended, however it is asked. */
const STAYS = 'setInterval(() => {}, 1000);';

describe('a child', () => {
  test('is sent messages and sends them back, in order', async () => {
    const child = await startChild(ECHO);
    const sent = Array.from({ length: 500 }, (_, id) => ping(id));
    await Promise.all(sent.map((message) => child.transport.send(message)));
    await untilMessages(child, 500);
    await child.transport.close();
    expect(child.messages).toEqual(sent);
    expect(child.transport.exit).toEqual({ code: 0, signal: null });
    expect(child.transport.ending).toBe('The server fixture was closed');
    expect(child.closed()).toBe(1);
  });

  test('has exactly the environment and the folder it is given', async () => {
    const log = memoryLogger();
    const script =
      'console.log(JSON.stringify({ jsonrpc: "2.0", method: "told", params: { env: process.env, cwd: process.cwd() } }));';
    const transport = new ChildTransport(
      { kind: 'stdio', command: process.execPath, args: ['-e', script], env: { A: '1' }, cwd: '/' },
      { name: 'fixture', log },
    );
    const told = new Promise<JSONRPCMessage>((resolve) => {
      transport.onmessage = resolve;
    });
    await transport.start();
    expect(await told).toMatchObject({ params: { env: { A: '1' }, cwd: '/' } });
    await transport.close();
  });

  test.each([
    ['no-such-program', undefined, '`no-such-program` was not found: is it installed'],
    [process.execPath, '/no/such/folder', 'or the folder /no/such/folder does not exist'],
    ['/etc/passwd', undefined, '`/etc/passwd` is not a program that may be run'],
  ])('that cannot be started says so: %s in %s', async (command, cwd, message) => {
    const via = { kind: 'stdio', command, args: ['--key=secret'], env: { KEY: 'secret' } } as const;
    const transport = new ChildTransport(cwd === undefined ? via : { ...via, cwd }, {
      name: 'fixture',
      log: memoryLogger(),
    });
    const error: unknown = await transport.start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotSentError);
    expect(String(error)).toContain(`The server fixture cannot be started: `);
    expect(String(error)).toContain(message);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('secret');
    await transport.close();
    expect(transport.ending).toBe((error as Error).message);
  });

  test('that ends at its start says why', async () => {
    const child = await startChild('console.error("no key given"); process.exit(3);');
    await child.whenClosed;
    expect(child.transport.exit).toEqual({ code: 3, signal: null });
    expect(child.transport.ending).toBe('The server fixture ended with code 3: no key given');
    await expect(child.transport.send(ping(1))).rejects.toThrow(NotSentError);
    await child.transport.close();
    expect(child.closed()).toBe(1);
  });

  test('that complains of its key does not tell the key', async () => {
    const script =
      'console.error(`Error: ${process.env.MY_API_KEY} was refused`); process.exit(1);';
    const child = makeChild(script, {}, { MY_API_KEY: 'CANARY-4711' });
    await child.transport.start();
    await child.whenClosed;
    expect(child.transport.ending).toBe(
      'The server fixture ended with code 1: Error: *** was refused',
    );
  });

  test('that is killed is noticed within 100 ms', async () => {
    const child = await startChild(READY + STAYS);
    await untilMessages(child, 1);
    const before = performance.now();
    process.kill(child.transport.pid!, 'SIGKILL');
    await child.whenClosed;
    expect(performance.now() - before).toBeLessThan(100);
    expect(child.transport.ending).toBe('The server fixture was ended by SIGKILL');
  });

  test('whose last message comes with its end is heard', async () => {
    const child = await startChild(
      `process.stdin.once('data', () => { ${READY} process.exit(); });`,
    );
    await child.transport.send(ping(1));
    await child.whenClosed;
    expect(child.messages).toHaveLength(1);
  });

  test('that is gone while others hold its output is noticed all the same', async () => {
    const child = await startChild(
      `require('child_process').spawn('sleep', ['30'], { stdio: 'inherit' }); ${READY}
       setTimeout(() => process.exit(1), 50);`,
    );
    await child.whenClosed;
    expect(child.transport.ending).toBe('The server fixture ended with code 1');
    await child.transport.close();
    expect(isGroupAlive(child)).toBe(false);
  });

  test('that closes its output but lives is ended', async () => {
    const child = await startChild(`${READY} process.stdin.resume(); ${STAYS}
      setTimeout(() => require('fs').closeSync(1), 50);`);
    await child.whenClosed;
    expect(child.transport.ending).toBe('The server fixture closed its output');
    await child.transport.close();
    expect(isGroupAlive(child)).toBe(false);
  });

  test('that ignores the end of its input and SIGTERM is killed', async () => {
    const child = await startChild(`process.on('SIGTERM', () => {}); ${STAYS} ${READY}`);
    await untilMessages(child, 1);
    const before = performance.now();
    await child.transport.close();
    expect(performance.now() - before).toBeGreaterThan(550);
    expect(performance.now() - before).toBeLessThan(1500);
    expect(child.transport.exit).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('that ends by itself when its input closes is not signalled', async () => {
    const child = await startChild(
      `process.stdin.resume().on('end', () => setTimeout(() => process.exit(7), 100)); ${READY}`,
    );
    await untilMessages(child, 1);
    await child.transport.close();
    expect(child.transport.exit).toEqual({ code: 7, signal: null });
  });

  test('leaves nobody behind that it started', async () => {
    const child = await startChild(
      `const { spawn } = require('child_process');
       const sh = spawn('sh', ['-c', 'trap "" TERM; sleep 60 & sleep 61 & wait'], { stdio: 'ignore' });
       process.stdin.resume().on('end', () => process.exit()); ${READY}`,
    );
    await untilMessages(child, 1);
    await child.transport.close();
    expect(isGroupAlive(child)).toBe(false);
  });

  test.skipIf(platform !== 'linux')(
    'that crashes leaves nothing behind that it detached',
    async () => {
      const child = await startChild(
        `const { spawn } = require('child_process');
       const how = { stdio: 'ignore', detached: true };
       const { pid } = spawn('sh', ['-c', 'sleep 60; true'], how);
       console.log(JSON.stringify({ jsonrpc: '2.0', method: 'detached', params: { pid } }));
       setTimeout(() => process.exit(3), 50);`,
      );
      await child.whenClosed;
      const [message] = child.messages;
      const { pid } = objectOf(message !== undefined && 'method' in message && message.params);
      await child.transport.close();
      // It may wait for somebody to take note of its end.
      expect(isRunning(Number(pid))).toBe(false);
    },
  );

  test('can be closed before it was started', async () => {
    const transport = new ChildTransport(
      { kind: 'stdio', command: 'x', args: [], env: {} },
      { name: 'fixture', log: memoryLogger() },
    );
    await expect(transport.send(ping(1))).rejects.toThrow(NotSentError);
    await transport.close();
    expect(transport.ending).toBe('The server fixture was closed');
  });
});
