import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoUpstream } from '../demo-upstream/start-demo-upstream.ts';
import type { DemoUpstream } from '../demo-upstream/start-demo-upstream.ts';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import type { MemoryIo } from './memory-io.case.ts';
import { run } from './run.ts';
import { errorAnswer } from '../../../../test/support/scripted-answer.ts';
import { startScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';

let upstream: DemoUpstream;
beforeAll(async () => {
  upstream = await startDemoUpstream({ pauseMs: 0 });
});
afterAll(() => upstream.close());

async function doctor(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; io: MemoryIo }> {
  const io = memoryIo({ env });
  return { code: await run(['doctor', ...args], io), io };
}

describe('holdfast doctor', () => {
  test('tells the dialect, what Holdfast would do, and how to go on', async () => {
    const { code, io } = await doctor(['--upstream', upstream.url, '--model', 'harmony']);

    expect(code).toBe(EXIT.ok);
    expect(io.out()).toContain('get_weather {"city":"Oslo"}  [text, harmony, complete and valid]');
    expect(io.out()).toContain('in the dialect harmony: a client shows them and runs nothing');
    expect(io.out()).toContain(`  holdfast proxy --upstream ${upstream.url} --model harmony\n`);
    expect(io.out()).not.toContain('\x1b');
  });

  test('prints JSON for programs', async () => {
    const { code, io } = await doctor(['--upstream', upstream.url, '--model', 'qwen', '--json']);

    expect(code).toBe(EXIT.ok);
    expect(JSON.parse(io.out())).toMatchObject({ verdict: 'text', model: 'qwen' });
  });

  test('completes the address and says so', async () => {
    const { io } = await doctor(['--upstream', upstream.url.replace('/v1', '')]);

    expect(io.err()).toContain(`${upstream.url} is asked`);
  });

  test('shows no key, not even one that the server quotes', async () => {
    const server = await startScriptedUpstream(
      errorAnswer(401, {}, 'Incorrect key: sk-secret-123'),
    );
    const { code, io } = await doctor(['--upstream', server.url], {
      HOLDFAST_API_KEY: 'sk-secret-123',
    });
    await server.close();

    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-123');
    expect(code).toBe(EXIT.noServer);
    expect(io.out()).toContain('answered 401: Incorrect key: ***');
    expect(io.out() + io.err()).not.toContain('sk-secret-123');
  });

  test.each([
    [[], '--upstream is missing'],
    [['--upstream', 'ftp://x'], '--upstream: expected an http or https URL'],
    [['--upstream', 'http://x', '--timeout', '0'], '--timeout: expected seconds from 1 to 3600'],
    [['--upstream', 'http://x', 'y'], 'expected an agent or --upstream, got both: y'],
    [['--project'], '--project: expected with an agent only'],
    [['gemni'], 'unknown agent "gemni"; expected one of claude-code, codex, gemini, opencode'],
    [['codex', 'gemini'], 'expected one agent, got codex gemini'],
    [['codex', '--root', 'x'], '--root: expected with agent-zero only, got with codex'],
  ])('refuses %j', async (args, message) => {
    const { code, io } = await doctor(args);

    expect(code).toBe(EXIT.misuse);
    expect(io.err()).toContain(message);
  });
});
