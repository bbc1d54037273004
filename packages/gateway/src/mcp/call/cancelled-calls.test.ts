import { describe, expect, test } from 'vitest';
import type { CallEnded } from '../../observe/gateway-event.ts';
import { callerUnderTest, readTool, slow } from './caller.case.ts';
import type { CallerUnderTest, Step } from './caller.case.ts';

const TIMED_OUT = 'McpError: MCP error -32001: Request timed out';
const HUNG_MS = 10 * 60_000;

interface Cancelled extends CallerUnderTest {
  readonly ended: CallEnded[];
  /** Makes a call of a tool that never answers, which its client cancels after so long. */
  readonly cancel: (afterMs: number, reason: unknown, step?: Step) => Promise<void>;
}

function cancelling(): Cancelled {
  const ended: CallEnded[] = [];
  const under = callerUnderTest({}, { onEnded: (event) => void ended.push(event) });
  const { call, clock } = under;
  const cancel: Cancelled['cancel'] = async (afterMs, reason, step = slow(clock, HUNG_MS)) => {
    const client = new AbortController();
    const reply = call({ tool: readTool, signal: client.signal }, step).catch(() => undefined);
    await clock.advance(afterMs);
    client.abort(reason);
    await reply;
  };
  return { ...under, ended, cancel };
}

const failures = ({ caller }: Cancelled): number => {
  const [own] = caller.circuits.forTool(readTool.name, { server: 'shop' });
  return own.metadata().circuit_failures_in_window;
};

describe('a call that its client cancels', () => {
  test('counts as a timeout when the reason is the timeout of the client', async () => {
    const under = cancelling();
    await under.cancel(10, TIMED_OUT);
    expect(failures(under)).toBe(1);
    expect(under.ended).toMatchObject([{ outcome: 'failed', class: 'timeout', attempts: 1 }]);
    expect(under.ended[0]?.message).toContain('no answer within 10 ms');
  });

  test.each([
    [26_999, 0],
    [27_000, 1],
  ])('after %i ms of 30 s without an answer counts %i times', async (afterMs, counted) => {
    const under = cancelling();
    await under.cancel(afterMs, 'the client has gone');
    expect(failures(under)).toBe(counted);
  });

  test('does not count after progress', async () => {
    const under = cancelling();
    const { clock } = under;
    const answer: Step = async (context) => {
      clock.setTimer(context.touch, 20_000);
      return slow(clock, HUNG_MS)(context, {});
    };
    await under.cancel(29_000, 'the client has gone', answer);
    expect(failures(under)).toBe(0);
  });

  test('does not count while its user is asked something', async () => {
    const under = cancelling();
    const answer: Step = (context) => {
      context.hold();
      return slow(under.clock, HUNG_MS)(context, {});
    };
    await under.cancel(60_000, TIMED_OUT, answer);
    expect(failures(under)).toBe(0);
  });

  test('is not made again, however safe the tool is', async () => {
    const under = cancelling();
    await under.cancel(10, TIMED_OUT);
    await under.clock.advance(60_000);
    expect(under.sent).toHaveLength(1);
  });

  test('opens the circuit after five timeouts', async () => {
    const under = cancelling();
    for (let at = 0; at < 5; at++) await under.cancel(29_000, 'the client has gone');
    expect(await under.call({ tool: readTool })).toMatchObject({ isError: true });
    expect(under.sent).toHaveLength(5);
  });

  test('never opens it when a person cancels early', async () => {
    const under = cancelling();
    for (let at = 0; at < 20; at++) await under.cancel(5000, 'AbortError: aborted');
    expect(failures(under)).toBe(0);
    expect(under.ended).toEqual([]);
  });
});
