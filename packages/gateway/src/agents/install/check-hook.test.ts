import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InstallContext } from './agent-installer.ts';
import { checkHook } from './check-hook.ts';

/** A context whose script is this program. */
async function contextOf(program: string): Promise<InstallContext & { readonly home: string }> {
  const home = await mkdtemp(join(tmpdir(), 'holdfast-hook-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const script = join(home, 'script.mjs');
  await writeFile(script, program);
  return {
    scope: 'user',
    project: home,
    home,
    env: { TOLD: join(home, 'told') },
    root: '/a0',
    node: process.execPath,
    script,
    veto: false,
  };
}

const ADVICE = `
import { appendFileSync, readFileSync } from 'node:fs';
const told = readFileSync(0, 'utf8');
appendFileSync(process.env.TOLD, process.argv.slice(2).join(' ') + ' ' + told + '\\n');
const count = readFileSync(process.env.TOLD, 'utf8').trim().split('\\n').length;
console.log(count === 1 ? '{}' : '{"advice": "holdfast-sample is not there"}');
`;

test('the hook is told of the same failing call twice, in a conversation of its own', async () => {
  const context = await contextOf(ADVICE);

  expect(await checkHook('opencode', context)).toEqual([
    { status: 'ok', text: expect.stringMatching(/^the hook answers in \d+ ms, /) as string },
    {
      status: 'ok',
      text: 'of a call that failed twice it says: {"advice": "holdfast-sample is not there"}',
    },
  ]);
  const lines = (await readFile(join(context.home, 'told'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => line.split(' {', 1)[0])).toEqual(['hook opencode', 'hook opencode']);
  const told = lines.map((line) => JSON.parse(line.slice('hook opencode '.length)) as object);
  expect(told[0]).toMatchObject({
    event: 'tool.execute.after',
    sessionID: expect.stringMatching(/^holdfast-doctor-/) as string,
    callID: 'sample-1',
    metadata: { exit: 1 },
  });
  expect(told[1]).toEqual({ ...told[0], callID: 'sample-2', messageID: 'message-sample-2' });
});

test.each([
  ['says nothing', '', 'it should give advice, and says nothing; can its state be written?'],
  ['ends with an error', 'console.error("why"); process.exit(2)', 'the hook ended with 2: why'],
  ['prints something else', 'console.log("hello")', 'the hook printed no JSON: hello'],
  ['is ended', 'process.kill(process.pid, "SIGKILL")', 'the hook did not run to its end ('],
])('a hook that %s is a problem', async (_, program, message) => {
  const checks = await checkHook('gemini', await contextOf(program));

  expect(checks.at(-1)).toEqual({
    status: 'problem',
    text: expect.stringContaining(message) as string,
  });
});

test('a Node that is not there is a problem', async () => {
  const context = await contextOf('');
  const checks = await checkHook('codex', { ...context, node: join(context.home, 'nothing') });

  expect(checks).toEqual([
    { status: 'problem', text: expect.stringContaining('ENOENT') as string },
  ]);
});
