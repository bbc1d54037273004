import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { NotSentError } from '../call/not-sent-error.ts';
import { upstreamToScripted } from './scripted-server.case.ts';

function httpError(status: number, text: string): SdkHttpError {
  const code = SdkErrorCode.ClientHttpNotImplemented;
  return new SdkHttpError(code, `Error POSTing to endpoint: ${text}`, { status });
}

describe('a server', () => {
  test('is connected to once, however many need it', async () => {
    const { server, script } = upstreamToScripted();
    expect(server.status.state).toBe('new');
    const all = Promise.all([server.connect(), server.connect(), server.connect()]);
    expect(server.status.state).toBe('connecting');
    const [one, ...others] = await all;
    expect(others).toEqual([one, one]);
    expect(script.starts).toBe(1);
    expect(server.status).toEqual({
      state: 'connected',
      era: 'legacy',
      protocol_version: '2025-11-25',
      since: '2026-01-01T00:00:00.000Z',
      reconnects: 0,
      dropped_messages: 0,
      running_requests: 0,
    });
  });

  test('reports since when and why it is lost, and reconnects at once on request', async () => {
    const { server, script, clock } = upstreamToScripted();
    await clock.advance(5000);
    script.mood = 'refuses';
    await expect(server.connect()).rejects.toThrow('it does not start');
    await clock.advance(250);
    await expect(server.reconnect()).rejects.toThrow('it does not start');
    expect(server.status).toMatchObject({
      state: 'waiting',
      since: '2026-01-01T00:00:00.000Z',
      last_error: { at: '2026-01-01T00:00:05.250Z', message: 'it does not start' },
    });
    script.mood = 'well';
    await server.reconnect();
    const { starts } = script;
    expect(server.status).toMatchObject({
      state: 'connected',
      since: '2026-01-01T00:00:05.250Z',
      last_error: { message: 'it does not start' },
      reconnects: 0,
    });
    await server.reconnect();
    expect(script.starts).toBe(starts + 1);
    expect(server.status).toMatchObject({ state: 'connected', reconnects: 1 });
    await server.close();
  });

  test('that does not start is tried again after half a second, twice that, and so on', async () => {
    const { server, script, clock } = upstreamToScripted();
    script.mood = 'refuses';
    await expect(server.connect()).rejects.toThrow(
      'scripted could not be started or reached: it does not start',
    );
    // Equal jitter: with a random number of 0, half of each delay.
    for (const [at, delayMs] of [250, 500, 1000, 2000].entries()) {
      expect(server.status).toMatchObject({ state: 'waiting', reason: 'it does not start' });
      await clock.advance(delayMs - 1);
      expect(script.starts).toBe(at + 1);
      await clock.advance(1);
      expect(script.starts).toBe(at + 2);
    }
    script.mood = 'well';
    await clock.advance(4000);
    await expect.poll(() => server.status.state).toBe('connected');
  });

  test('is waited for where its next try is near, and refuses at once where it is not', async () => {
    const { server, script, clock } = upstreamToScripted();
    script.mood = 'refuses';
    await expect(server.connect()).rejects.toBeInstanceOf(NotSentError);
    await clock.advance(250 + 500);
    expect(script.starts).toBe(3);
    const waiting = server.connect();
    await clock.advance(1000);
    await expect(waiting).rejects.toBeInstanceOf(NotSentError);
    expect(script.starts).toBe(4);
    await expect(server.request({ method: 'tools/list' })).rejects.toThrow(
      'scripted is not running (it does not start); it is tried again in 2 s',
    );
    expect(script.starts).toBe(4);
  });

  test('comes back by itself after its connection ended', async () => {
    const { server, script, clock } = upstreamToScripted();
    await server.connect();
    const asked = server.request({ method: 'wait' });
    script.answers.set('wait', () => undefined);
    await script.end();
    await expect(asked).rejects.toThrow('scripted ended before it answered');
    expect(server.status).toMatchObject({ state: 'waiting', reason: 'the connection was closed' });
    await clock.advance(250);
    await expect.poll(() => server.status).toMatchObject({ state: 'connected', reconnects: 1 });
  });

  test('waits longer each time its connection ends soon, and starts over after a good one', async () => {
    const { server, script, clock } = upstreamToScripted();
    await server.connect();
    for (const delayMs of [250, 500]) {
      await script.end();
      await clock.advance(delayMs);
      await expect.poll(() => server.status.state).toBe('connected');
    }
    clock.skip(10_000);
    await script.end();
    await clock.advance(250);
    await expect.poll(() => server.status.state).toBe('connected');
  });

  test('that does its work and keeps dying is started again soon each time', async () => {
    const { server, script, clock } = upstreamToScripted();
    script.answers.set('tools/call', () => ({ content: [] }));
    await server.connect();
    for (let times = 0; times < 6; times++) {
      await server.request({ method: 'tools/call', params: { name: 'echo' } });
      await script.end();
      await clock.advance(250);
      await expect.poll(() => server.status.state).toBe('connected');
    }
  });

  test('that only tells what it offers before it dies waits longer each time', async () => {
    const { server, script, clock } = upstreamToScripted();
    await server.connect();
    for (const delayMs of [250, 500, 1000]) {
      await server.request({ method: 'tools/list' });
      await script.end();
      await clock.advance(delayMs - 1);
      expect(server.status.state).toBe('waiting');
      await clock.advance(1);
      await expect.poll(() => server.status.state).toBe('connected');
    }
  });

  test.each([
    [404, 'Session not found'],
    [400, 'Bad Request: No valid session ID provided'],
  ])(
    'that has forgotten the session (%i) is shaken hands with again, once',
    async (status, text) => {
      const { server, script } = upstreamToScripted();
      const connection = await server.connect();
      connection.request = () => Promise.reject(httpError(status, text));
      script.answers.set('tools/list', () => ({ tools: [] }));
      const answers = Promise.all([1, 2, 3].map(() => server.request({ method: 'tools/list' })));
      expect(await answers).toEqual([{ tools: [] }, { tools: [] }, { tools: [] }]);
      expect(script.count('initialize')).toBe(2);
      expect(server.status.reconnects).toBe(1);

      const again = await server.connect();
      script.answers.set('initialize', () => {
        throw new Error('not now');
      });
      again.request = () => Promise.reject(httpError(status, text));
      await expect(server.request({ method: 'tools/list' })).rejects.toBeInstanceOf(NotSentError);
    },
  );

  test('other refusals over HTTP begin no new session', async () => {
    const { server, script } = upstreamToScripted();
    const connection = await server.connect();
    connection.request = () => Promise.reject(httpError(400, 'Bad Request: Invalid params'));
    await expect(server.request({ method: 'tools/list' })).rejects.toThrow('Invalid params');
    expect(script.starts).toBe(1);
  });

  test('that never answers is closed at once while it is being connected to', async () => {
    const { server, script } = upstreamToScripted({ connectTimeoutMs: 60_000 });
    script.mood = 'silent';
    const connecting = server.connect();
    await expect.poll(() => script.count('initialize')).toBe(1);
    const before = performance.now();
    await server.close();
    expect(performance.now() - before).toBeLessThan(2000);
    await expect(connecting).rejects.toBeInstanceOf(NotSentError);
    expect(server.status.state).toBe('closed');
    await expect(server.connect()).rejects.toThrow('scripted is closed');
  });

  test('that was closed is not tried again', async () => {
    const { server, script, clock } = upstreamToScripted();
    script.mood = 'refuses';
    await server.connect().catch(() => undefined);
    await server.close();
    await clock.advance(60_000);
    expect(script.starts).toBe(1);
    expect(clock.pendingTimers).toBe(0);
  });

  test('that ends in the middle of its handshake is one that could not be reached', async () => {
    const { server, script } = upstreamToScripted();
    script.answers.set('initialize', () => {
      void script.end();
      return undefined;
    });
    await expect(server.connect()).rejects.toThrow('could not be started or reached');
    expect(server.current).toBeUndefined();
    expect(server.status.state).toBe('waiting');
  });
});
