import { describe, expect, it } from 'vitest';
import { runNode } from './support/run-node.ts';

/** Runs a program that prints how long it took, and gives what it printed. */
async function run(program: string): Promise<string> {
  const code = `import { withTimeout } from '@holdfast/core/guard';
    const from = performance.now();
    process.on('exit', () => console.log(performance.now() - from < 5000 ? 'soon' : 'late'));
    ${program}`;
  const { stdout, stderr } = await runNode(['--input-type=module', '--eval', code]);
  return stdout + stderr;
}

describe('a process that uses timeouts', { timeout: 60_000 }, () => {
  it('ends when its work is done, however long the timeout', async () => {
    const program = `console.log(await withTimeout(() => 'done', 3_600_000));`;
    expect(await run(program)).toBe('done\nsoon\n');
  });

  it('stays until the timeout of a call that waits for a socket', async () => {
    const program = `const { createServer, connect } = await import('node:net');
      const server = createServer(() => undefined).listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const socket = connect(server.address().port, '127.0.0.1');
      const hangs = () => new Promise((data) => socket.once('data', data));
      console.log(await withTimeout(hangs, 120).catch((error) => error.code));
      socket.destroy();
      server.close();`;
    expect(await run(program)).toBe('tool-timeout\nsoon\n');
  });

  it('stays until the timeout of a call that waits for nothing', async () => {
    const program = `const hangs = () => new Promise(() => undefined);
      console.log(await withTimeout(hangs, 200).catch((error) => error.code));`;
    expect(await run(program)).toBe('tool-timeout\nsoon\n');
  });

  it('stays until the timeout of an executor that waits for nothing', async () => {
    const program = `const { CircuitBreaker, Executor } = await import('@holdfast/core/guard');
      const circuits = [new CircuitBreaker('hangs', { consecutiveFailures: 1 })];
      const hangs = () => new Promise(() => undefined);
      await new Executor({ timeoutMs: 200, circuits }).run(hangs);
      console.log(circuits[0].state);`;
    expect(await run(program)).toBe('open\nsoon\n');
  });

  it('is kept by the pause before a retry', async () => {
    const program = `const { Executor } = await import('@holdfast/core/guard');
      let calls = 0;
      const fails = () => { calls++; throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' }); };
      const retry = { maxRetries: 2, initialDelayMs: 100 };
      await new Executor({ retry }).run(fails).catch(() => undefined);
      console.log(calls);`;
    expect(await run(program)).toBe('3\nsoon\n');
  });
});
