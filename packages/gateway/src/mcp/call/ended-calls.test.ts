import { describe, expect, test } from 'vitest';
import type { CallEnded } from '../../observe/gateway-event.ts';
import {
  callerUnderTest,
  DONE,
  payTool,
  protocolError,
  readTool,
  shopConfig,
  slow,
} from './caller.case.ts';

function watched(config: Parameters<typeof callerUnderTest>[0] = {}) {
  const ended: CallEnded[] = [];
  const under = callerUnderTest(config, { onEnded: (event) => void ended.push(event) });
  return { ...under, ended };
}

const FAILED = { content: [{ type: 'text', text: 'HTTP 502 Bad Gateway' }], isError: true };

describe('those who watch are told of a call that', () => {
  test('went well, with how long it took', async () => {
    const { call, clock, ended } = watched();
    const reply = call({}, slow(clock, 30));
    await clock.advance(30);
    await reply;
    expect(ended).toEqual([
      {
        type: 'call-ended',
        id: 'call-1',
        server: 'shop',
        tool: 'payment_api',
        outcome: 'ok',
        class: undefined,
        failureType: undefined,
        message: undefined,
        attempts: 1,
        durationMs: 30,
        repairs: [],
        advice: undefined,
        adviceRules: [],
      },
    ]);
  });

  test('failed, with its class, type and message', async () => {
    const { call, ended } = watched();
    await call({}, FAILED);
    expect(ended).toMatchObject([
      { outcome: 'failed', class: 'tool-error', failureType: 'server_error', attempts: 1 },
    ]);
    expect(ended[0]?.message).toContain('502');
  });

  test('needed several attempts', async () => {
    const { call, clock, ended } = watched();
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const reply = call({ tool: readTool }, reset, DONE);
    await clock.advance(60_000);
    await reply;
    expect(ended).toMatchObject([{ tool: 'read_order', outcome: 'ok', attempts: 2 }]);
  });

  test('was not sent: its arguments do not fit, or its circuit is open', async () => {
    const server = shopConfig({ circuit: { ...shopConfig().circuit, consecutiveFailures: 1 } });
    const { call, ended } = watched({ servers: [server] });
    await call({ arguments: {} });
    await call({}, FAILED);
    await call({}, DONE);
    expect(ended.map(({ outcome, class: kind, attempts }) => [outcome, kind, attempts])).toEqual([
      ['refused', 'invalid-arguments', 0],
      ['failed', 'tool-error', 1],
      ['refused', 'refused', 0],
    ]);
  });

  test('had its arguments set right', async () => {
    const { call, ended } = watched();
    await call({ arguments: { amount: '12', note: 'x' } });
    expect(ended).toMatchObject([{ outcome: 'ok', repairs: ['coerced-value'] }]);
  });

  test('ended in an error of the protocol', async () => {
    const { call, ended } = watched();
    await expect(call({}, protocolError(-32_603, 'broken'))).rejects.toThrow('broken');
    expect(ended).toMatchObject([{ outcome: 'failed', attempts: 1, message: 'broken' }]);
  });

  test('was advised, with the rules', async () => {
    const { call, ended } = watched({ advice: true });
    for (let times = 0; times < 3; times++) await call({ tool: payTool }, FAILED);
    const last = ended.at(-1);
    expect(last?.advice).toContain('Tool guidance');
    expect(last?.adviceRules?.length).toBeGreaterThan(0);
  });
});

test('nobody is told of a call that the client took back', async () => {
  const { call, clock, ended } = watched();
  const controller = new AbortController();
  const reply = call({ signal: controller.signal }, slow(clock, 1000));
  reply.catch(() => undefined);
  await clock.advance(10);
  controller.abort(new Error('no longer wanted'));
  await expect(reply).rejects.toThrow('no longer wanted');
  expect(ended).toEqual([]);
});

test('one who watches and throws does not fail the call', async () => {
  const { call } = callerUnderTest(
    {},
    {
      onEnded: () => {
        throw new Error('broken');
      },
    },
  );
  expect(await call({})).toMatchObject(DONE);
});
