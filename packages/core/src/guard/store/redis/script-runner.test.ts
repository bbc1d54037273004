import { describe, expect, it } from 'vitest';
import { CircuitStoreError } from '../../../errors.ts';
import { ManualClock } from '../../../testing/manual-clock.ts';
import { FakeConnection } from './fake-connection.case.ts';
import { ScriptRunner } from './script-runner.ts';

function setUp(): { connection: FakeConnection; clock: ManualClock; runner: ScriptRunner } {
  const connection = new FakeConnection();
  const clock = new ManualClock();
  return { connection, clock, runner: new ScriptRunner(connection, clock) };
}

describe('ScriptRunner', () => {
  it('sends the whole script only where its hash is not known', async () => {
    const { connection, runner } = setUp();
    const run = runner.run('leave', 'key', ['a']);
    connection.answer(new Error('NOSCRIPT No matching script. Please use EVAL.'));
    await Promise.resolve();
    await Promise.resolve();
    connection.answer(1);

    expect(await run).toBe(1);
    expect(connection.sent).toEqual(['evalsha', 'eval']);
  });

  it('tells what Redis said, and what it was asked', async () => {
    const { connection, runner } = setUp();
    const run = runner.run('leave', 'key', ['a']);
    const cause = new Error('OOM command not allowed');
    connection.answer(cause);

    await expect(run).rejects.toThrow(CircuitStoreError);
    await expect(run).rejects.toMatchObject({
      message: 'Redis cannot leave: OOM command not allowed',
      cause,
    });
    expect(connection.sent).toEqual(['evalsha']);
  });

  it('lets a few commands wait for the first connection', async () => {
    const { connection, runner } = setUp();
    connection.isConnected = false;
    const runs = Array.from({ length: 16 }, () => runner.run('leave', 'key', ['a']));
    await expect(runner.run('leave', 'key', ['a'])).rejects.toThrow('the client is not connected');
    for (const _ of runs) connection.answer(0);

    expect(await Promise.all(runs)).toHaveLength(16);
    expect(connection.sent).toHaveLength(16);
  });

  it('gives nothing to a client that has lost its connection', async () => {
    const { connection, runner } = setUp();
    const first = runner.run('leave', 'key', ['a']);
    connection.answer(0);
    await first;
    connection.isConnected = false;

    await expect(runner.run('leave', 'key', ['a'])).rejects.toThrow(
      'Redis cannot leave: the client is not connected',
    );
    expect(connection.sent).toHaveLength(1);
  });

  it('sends as much as there is while answers come', () => {
    const { connection, clock, runner } = setUp();
    for (let turn = 0; turn < 1_000; turn++) void runner.run('leave', 'key', ['a']);
    clock.skip(4_900);
    void runner.run('leave', 'key', ['a']);

    expect(connection.sent).toHaveLength(1_001);
  });

  it('sends nothing more to a server that has stopped answering, until it answers', async () => {
    const { connection, clock, runner } = setUp();
    const runs = Array.from({ length: 20 }, () => runner.run('leave', 'key', ['a']));
    clock.skip(5_500);
    await expect(runner.run('leave', 'key', ['a'])).rejects.toThrow(
      'Redis cannot leave: 20 commands are unanswered, and none was in 5500 ms',
    );
    connection.answer(0);
    await runs[0];
    void runner.run('leave', 'key', ['a']);

    expect(connection.sent).toHaveLength(21);
  });

  it('does not take a quiet time for one without answers', async () => {
    const { connection, clock, runner } = setUp();
    const first = runner.run('leave', 'key', ['a']);
    connection.answer(0);
    await first;
    clock.skip(60_000);
    for (let turn = 0; turn < 100; turn++) void runner.run('leave', 'key', ['a']);

    expect(connection.sent).toHaveLength(101);
  });

  it('has patience with a server until none of its answers came for more than five seconds', async () => {
    const { connection, clock, runner } = setUp();
    await clock.advance(60_000);
    const runs = Array.from({ length: 16 }, () => runner.run('leave', 'key', ['a']));
    await clock.advance(3000);
    void runner.run('leave', 'key', ['a']);
    await clock.advance(2000);
    expect(runner.whyNot()).toBeUndefined();
    await clock.advance(1);
    expect(runner.whyNot()).toBe('17 commands are unanswered, and none was in 5001 ms');
    connection.answer(0);
    await runs[0];

    expect(runner.whyNot()).toBeUndefined();
  });
});
