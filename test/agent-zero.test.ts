import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentZero } from './support/agent-zero/agent-zero.ts';
import type { Layout, Step } from './support/agent-zero/agent-zero.ts';
import { readText } from './support/repository.ts';

const GUIDANCE = '⚠️ Tool guidance: ';
const PROMPT = '(venv) root@3f2a9c:/a0# ';
const MISSING = `cat: /nonexistent/file/path.txt: No such file or directory\n${PROMPT}`;

/** A command as the model has it run, and what agent-zero returns. */
const command = (code: string, returns: string): Step => ({
  tool: 'code_execution_tool',
  args: { runtime: 'terminal', session: 0, code },
  returns,
});
const cat = command('cat /nonexistent/file/path.txt', MISSING);

const noPython = await promisify(execFile)('python3', ['--version']).then(
  () => undefined,
  (error: unknown) => `python3 cannot be run: ${String(error).split('\n')[0]}`,
);
if (noPython !== undefined && process.env['CI'] === 'true') throw new Error(noPython);

/** What takes long and is seen elsewhere too is left to `npm run test:full`. */
const isFull = process.env['HOLDFAST_FULL'] === '1';

/** Each call is a process of Node: on a busy machine that takes its time. */
const PATIENCE = { timeout: 60_000 };

/** An agent-zero for all tests of a block, with our extensions in it. */
function agentZeroWith(layout: Layout): AgentZero {
  const agentZero = new AgentZero(layout);
  beforeAll(async () => {
    const { code, stderr } = await agentZero.holdfast(
      'install',
      'agent-zero',
      '--root',
      agentZero.root,
    );
    expect([code, stderr]).toEqual([0, '']);
  }, PATIENCE.timeout);
  afterAll(() => agentZero.remove());
  return agentZero;
}

/** All files in its folder, but for those it came with. */
const installedIn = ({ root }: AgentZero): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:extension|errors|agent)\.py$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

describe.skipIf(noPython !== undefined).each(['legacy', 'current'] as const)(
  `agent-zero, %s layout ${noPython ?? ''}`,
  (layout) => {
    const agentZero = agentZeroWith(layout);

    test(
      'hears of the missing file at the second attempt, in the result and in the log',
      PATIENCE,
      async () => {
        const { results, log, history, data } = await agentZero.play([cat, { user: true }, cat]);

        expect(results[0]).toEqual({ message: MISSING });
        const second = String(results[2]?.message);
        expect(second.startsWith(`${MISSING}\n\n${GUIDANCE}`)).toBe(true);
        const advice = second.slice(second.indexOf(GUIDANCE));
        expect(advice).toContain('not_found');
        expect(advice).toContain('Verify the path');
        expect(advice).toContain('find');
        expect(log).toEqual([
          ['warning', `[Fallback] ${advice.slice(GUIDANCE.length).replaceAll('\n', ' ')}`],
        ]);
        expect(history).toEqual([]);
        expect(data['_tool_failures']).toEqual({
          by: 'holdfast',
          history: [{ tool: 'code_execution_tool', message_preview: advice.slice(0, 150) }],
        });
      },
    );

    test.runIf(isFull || layout === 'current')(
      'hears of tools that raise, as a warning',
      PATIENCE,
      async () => {
        const step: Step = {
          tool: 'document_query',
          args: { path: '/missing.pdf' },
          raises: 'repairable',
          text: "[Errno 2] No such file or directory: '/missing.pdf'",
        };
        const { results, history, log } = await agentZero.play([step, step, cat]);

        expect(results[1]?.raised).toMatch(/^RepairableException: /);
        const spoken = history.filter((text) => text.startsWith(GUIDANCE));
        expect(spoken).toHaveLength(1);
        expect(spoken[0]).toContain('document_query');
        expect(log).toHaveLength(1);
        // The current layout tells us what was raised; of the other one we know only that it never came back.
        expect(spoken[0]?.includes('not_found')).toBe(layout === 'current');
      },
    );

    test.runIf(isFull)('is not blamed for calls that the user interrupts', PATIENCE, async () => {
      const step: Step = { tool: 'browser', args: { url: 'x' }, raises: 'user' };
      const { history, log } = await agentZero.play([step, step, step, cat]);

      expect([history, log]).toEqual([[], []]);
    });

    test.runIf(isFull || layout === 'legacy')(
      'loses all of our files, and gets them again with a line for each',
      PATIENCE,
      async () => {
        const files = installedIn(agentZero);
        expect(files).toEqual(
          layout === 'legacy'
            ? [
                'python/extensions/tool_execute_after/_30_tool_fallback_logger.py',
                'python/extensions/tool_execute_before/_30_tool_fallback_advisor.py',
              ]
            : [
                'usr/plugins/holdfast/extensions/python/_functions/agent/Agent/handle_exception/end/_30_tool_fallback_exceptions.py',
                'usr/plugins/holdfast/extensions/python/tool_execute_after/_30_tool_fallback_logger.py',
                'usr/plugins/holdfast/extensions/python/tool_execute_before/_30_tool_fallback_advisor.py',
                'usr/plugins/holdfast/plugin.yaml',
              ],
        );
        const where = ['agent-zero', '--root', agentZero.root];
        const again = await agentZero.holdfast('install', ...where);
        expect([again.code, installedIn(agentZero)]).toEqual([0, files]);

        const removal = await agentZero.holdfast('uninstall', ...where);
        expect(removal.code).toBe(0);
        expect(installedIn(agentZero)).toEqual([]);
        expect(existsSync(join(agentZero.root, 'usr', 'plugins', 'holdfast'))).toBe(false);

        const anew = await agentZero.holdfast('install', ...where);
        expect(anew.code).toBe(0);
        const lines = anew.stdout.split('\n');
        for (const file of files) {
          expect(lines).toContain(`installed ${join(agentZero.root, file)}`);
        }
      },
    );
  },
);

describe.skipIf(noPython !== undefined)(`agent-zero ${noPython ?? ''}`, () => {
  const agentZero = agentZeroWith('current');

  test('is told to step back after five failures, once', PATIENCE, async () => {
    const refused = (url: string): Step => ({
      tool: 'fetch',
      args: { url },
      returns: 'Error: connect ECONNREFUSED',
    });
    const { results } = await agentZero.play([
      cat,
      command('./deploy.sh', `bash: ./deploy.sh: Permission denied\n${PROMPT}`),
      refused('http://10.0.0.1/'),
      command('frobnicate', `bash: frobnicate: command not found\n${PROMPT}`),
      refused('http://10.0.0.2/'),
      refused('http://10.0.0.3/'),
    ]);
    const told = results.map(({ message }) => String(message).includes('Is there a simpler way'));

    expect(told).toEqual([false, false, false, false, true, false]);
  });

  test('is told what the docs say it is', PATIENCE, async () => {
    const { results } = await agentZero.play([cat, cat]);
    const advice = String(results[1]?.message).slice(MISSING.length + 2);

    expect(advice.startsWith(GUIDANCE)).toBe(true);
    expect(readText('docs/agents-agent-zero.md')).toContain(`\n${advice}\n`);
  });

  test('hears nothing while all goes well', PATIENCE, async () => {
    const steps: readonly Step[] = [
      command('ls', `README.md\nerrors.log\n${PROMPT}`),
      command('cat errors.log', `ERROR: timeout, 404 not found\nall fine again\n${PROMPT}`),
    ];
    const { results, log, history, data } = await agentZero.play(steps);

    expect(results.map(({ message }) => message)).toEqual(steps.map(({ returns }) => returns));
    expect([log, history, data['_tool_failures']]).toEqual([[], [], undefined]);
  });

  test('gives its answers to the user as they are', PATIENCE, async () => {
    const text = 'Error: ENOENT: no such file or directory';
    const answer: Step = { tool: 'response', args: { text }, returns: text, break_loop: true };
    const last: Step = { ...answer, tool: 'task_done' };
    const { results, log } = await agentZero.play([answer, answer, answer, last, last, last]);

    for (const { message } of results) expect(message).toBe(text);
    expect(log).toEqual([]);
  });

  test.runIf(isFull)('keeps agents apart that work in one chat', PATIENCE, async () => {
    const other = { ...cat, agent: 1 };
    const { results } = await agentZero.play([cat, other, cat, other]);
    const told = results.map(({ message }) => String(message).includes(GUIDANCE));

    expect(told).toEqual([false, false, true, true]);
  });

  test.runIf(isFull)('tells one method of a tool from another', PATIENCE, async () => {
    const step = (method: string): Step => ({
      tool: 'text_editor',
      method,
      args: { path: 'a' },
      returns: 'Error: ENOENT: no such file or directory, open "a"',
    });
    const { results } = await agentZero.play([step('read'), step('write'), step('write')]);

    expect(results[1]?.message).not.toContain(GUIDANCE);
    expect(results[2]?.message).toContain('text_editor:write');
  });

  test.each([
    ['cannot be changed', { frozen: true }],
    ['is no text', { returns: ['Error: ENOENT: no such file or directory'] }],
  ])('gets a warning where the message %s', PATIENCE, async (_, change) => {
    const returns = 'Error: ENOENT: no such file or directory';
    const step = { tool: 'lookup', args: { a: 1 }, returns, ...change };
    const { results, history } = await agentZero.play([step, step, step]);

    for (const { message } of results) expect(message).toEqual(step.returns);
    expect(history.length).toBeGreaterThan(0);
    for (const warning of history) expect(warning).toMatch(/^⚠️ Tool guidance: /u);
  });

  test(
    'goes on where a response, an agent, its context or all else is missing',
    PATIENCE,
    async () => {
      const { results } = await agentZero.play([
        { ...cat, none: true },
        { ...cat, agent: 'none' },
        { ...cat, agent: 'bare' },
        { ...cat, agent: 'no context' },
        { ...cat, agent: 'no context' },
      ]);

      expect(results.slice(0, 4)).toEqual([
        { message: null },
        { message: MISSING },
        { message: MISSING },
        { message: MISSING },
      ]);
      // Without a log, and without the id of a chat, an agent is advised all the same.
      expect(results[4]?.message).toContain(GUIDANCE);
    },
  );

  test.runIf(isFull)('keeps what others have under the name of our data', PATIENCE, async () => {
    const theirs = { history: [], consecutive: { code_execution_tool: 1 } };
    const { results, data } = await agentZero.play([
      { data: { _tool_failures: theirs } },
      cat,
      cat,
    ]);

    expect(results[2]?.message).toContain(GUIDANCE);
    expect(data['_tool_failures']).toEqual(theirs);
  });

  test.runIf(isFull)(
    'stops a call that only repeats what failed where it was asked to',
    PATIENCE,
    async () => {
      const where = ['install', 'agent-zero', '--root', agentZero.root];
      await agentZero.holdfast(...where, '--veto');
      const { results, log } = await agentZero.play([cat, cat, cat, command('ls', `a\n${PROMPT}`)]);
      await agentZero.holdfast(...where);

      expect(results[1]?.message).toContain(GUIDANCE);
      const refusal = 'This code_execution_tool call was not run: ';
      expect(results[2]?.raised?.startsWith(`RepairableException: ${refusal}`)).toBe(true);
      expect(results[3]).toEqual({ message: `a\n${PROMPT}` });
      expect(log.at(-1)?.[1]?.startsWith(`[Fallback] ${refusal}`)).toBe(true);
    },
  );
});

describe.skipIf(noPython !== undefined)(`a hook that goes wrong ${noPython ?? ''}`, () => {
  const agentZero = agentZeroWith('current');

  /** Runs something else in place of the hook. */
  function replaceHook(replacement: readonly string[]): void {
    for (const path of installedIn(agentZero).filter((name) => name.endsWith('.py'))) {
      const file = join(agentZero.root, path);
      const line = `COMMAND = ${JSON.stringify(replacement)}`;
      const text = readFileSync(file, 'utf8').replace(/^COMMAND = .*$/m, () => line);
      expect(text).toContain(line);
      writeFileSync(file, text);
    }
  }

  test.each([
    ['is missing', ['/nonexistent/node', 'x.js']],
    ['fails', ['sh', '-c', 'exit 3']],
    ['prints rubbish', ['sh', '-c', String.raw`printf '<html>\377'`]],
    ['prints what is no object', ['echo', '[1]']],
    ['says what is no text', ['echo', '{"advice":7,"veto":{},"log":[]}']],
  ])('and %s costs the agent nothing', PATIENCE, async (_, replacement) => {
    replaceHook(replacement);
    // More than a pipe holds, for those who do not read it.
    const large = command('cat large', 'x'.repeat(3_000_000));
    const raising: Step = { tool: 'browser', raises: 'value', text: 'no' };
    const { results, log, history } = await agentZero.play([cat, cat, large, raising]);

    expect(results.slice(0, 3).map(({ message }) => message)).toEqual([
      MISSING,
      MISSING,
      large.returns,
    ]);
    expect(results[3]).toEqual({ raised: 'ValueError: no' });
    expect([log, history]).toEqual([[], []]);
  });

  test(
    'is a process for each call, and no more, which hears of its begin too',
    PATIENCE,
    async () => {
      const heard = join(agentZero.root, 'heard');
      replaceHook(['sh', '-c', 'cat >> "$0"; echo >> "$0"; echo "{}"', heard]);
      const raising: Step = { tool: 'browser', raises: 'value', text: 'no' };
      await agentZero.play([cat, { user: true }, cat, raising]);

      const events = readFileSync(heard, 'utf8')
        .trim()
        .split('\n')
        .map(
          (line) => JSON.parse(line) as { event: string; earlier: readonly { event: string }[] },
        );
      expect(
        events.map(({ event, earlier }) => [...earlier.map((one) => one.event), event]),
      ).toEqual([
        ['tool_execute_before', 'tool_execute_after'],
        ['tool_execute_before', 'tool_execute_after'],
        ['tool_execute_before', 'tool_exception'],
      ]);
      expect(events[1]?.earlier[0]).toMatchObject({ user_spoke: true });
    },
  );

  test.runIf(isFull)('and hangs costs it three seconds for a call', PATIENCE, async () => {
    replaceHook(['sleep', '60']);
    const start = performance.now();
    const { results } = await agentZero.play([cat]);
    const seconds = (performance.now() - start) / 1000;

    expect(results).toEqual([{ message: MISSING }]);
    expect(seconds).toBeGreaterThan(2.9);
    expect(seconds).toBeLessThan(20);
  });

  test('and hangs lets the agent be stopped', PATIENCE, async () => {
    replaceHook(['sleep', '60']);
    const { results } = await agentZero.play([{ ...cat, cancel: true }]);

    expect(results).toEqual([{ ended: 'cancelled' }]);
  });
});
