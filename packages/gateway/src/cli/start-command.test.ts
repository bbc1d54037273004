import { describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';
import { startGreeting } from './start-greeting.ts';

// What it does when it runs is seen from outside, in test/start.test.ts.
describe('holdfast start', () => {
  test('takes the upstream of the environment', async () => {
    const io = memoryIo({ env: { HOLDFAST_UPSTREAM: 'ftp://nowhere' } });

    expect(await run(['start'], io)).toBe(EXIT.misuse);
    expect(io.err()).toContain('--upstream: expected an http or https URL');
  });

  test.each([
    [['folder'], 'expected options only, got folder'],
    [['--port', 'x'], '--port: expected a whole number'],
    [['--log', 'loud'], '--log: expected debug, info'],
  ])('refuses %j', async (args, message) => {
    const io = memoryIo();

    expect(await run(['start', ...args], io)).toBe(EXIT.misuse);
    expect(io.err()).toContain(message);
  });

  test.each([
    [['--host', '0.0.0.0'], {}],
    [[], { HOLDFAST_HOST: '0.0.0.0' }],
  ])('lets nobody else near the demo: %j %j', async (args, env) => {
    const io = memoryIo({ env });

    expect(await run(['start', ...args], io)).toBe(EXIT.misuse);
    expect(io.err()).toContain('the demo runs on loopback only, not on 0.0.0.0');
  });

  test('needs a token where others can reach it', async () => {
    const io = memoryIo({
      env: { HOLDFAST_UPSTREAM: 'http://127.0.0.1:9/v1', HOLDFAST_HOST: '0.0.0.0' },
    });

    expect(await run(['start', '--port', '0'], io)).toBe(EXIT.failed);
    expect(io.err()).toContain('cannot listen on 0.0.0.0 without a token');
  });

  test('prints commands that can be pasted as they are', () => {
    const lines = startGreeting({
      url: 'http://127.0.0.1:1',
      upstreamUrl: 'http://127.0.0.1:2/v1',
      hasTraffic: true,
      program: 'npx holdfast',
    }).split('\n');
    const curl = lines.find((line) => line.startsWith('curl '));

    expect(JSON.parse(/-d '([^']*)'$/.exec(curl ?? '')?.[1] ?? '')).toMatchObject({
      model: 'demo',
      tools: [{ function: { name: 'get_weather' } }],
    });
    expect(lines.some((line) => line.startsWith('ANTHROPIC_BASE_URL='))).toBe(true);
  });
});
