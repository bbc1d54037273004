import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { registerToolFallback } from '@holdfast/core';
import type { AdvisorOptions } from '@holdfast/core/advise';
import { HookRegistry, secretsMask } from '@holdfast/core/hooks';
import type { HookEvent, ToolResponse } from '@holdfast/core/hooks';

const MISSING = 'cat /nonexistent/file/path.txt';
const GUIDANCE = '⚠️ Tool guidance: ';

/** A tool that runs commands. What it returns is what agents return: both outputs, and the exit code apart. */
function shell(command: string): Promise<ToolResponse> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, LC_ALL: 'C' } };
    execFile('sh', ['-c', command], options, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === 'number' ? error.code : 0;
      resolve({ message: stdout + stderr, breakLoop: false, additional: { exitCode } });
    });
  });
}

/** An agent of one tool, with the hooks a host would run around it. */
class Agent {
  readonly data = new Map<string, unknown>();
  readonly events: HookEvent[] = [];
  readonly log: string[] = [];
  readonly hooks: HookRegistry;
  runs = 0;

  constructor(options: AdvisorOptions = {}) {
    this.hooks = new HookRegistry({ onEvent: (event) => this.events.push(event) });
    const onEvent: AdvisorOptions['onEvent'] = (event) => {
      if (event.type !== 'advisor-failed') this.log.push(event.log);
    };
    registerToolFallback(this.hooks, { ...options, onEvent });
  }

  /** What the model sees. `how` may hide the exit code, as some hosts do. */
  async run(command: string, how: { readonly hidesExitCode?: boolean } = {}): Promise<string> {
    const { data } = this;
    const toolName = 'code_execution_tool';
    const before = await this.hooks.runBefore({ toolName, toolArgs: { code: command }, data });
    if (before.veto !== undefined) return before.veto.text;
    this.runs++;
    const answer = await shell(command);
    const response = how.hidesExitCode === true ? { message: answer.message } : answer;
    const after = await this.hooks.runAfter({ toolName, response, data });
    const notices = before.notices.map(({ text }) => `${text}\n`).join('');
    return `${notices}${after.response?.message ?? ''}`;
  }

  async runAll(...commands: string[]): Promise<string[]> {
    const seen: string[] = [];
    for (const command of commands) seen.push(await this.run(command));
    return seen;
  }
}

describe('a shell tool with hooks around it', () => {
  it.each([false, true])(
    'tells what to do when a missing file is read twice (exit code hidden: %s)',
    async (hidesExitCode) => {
      const agent = new Agent();
      const first = await agent.run(MISSING, { hidesExitCode });
      const second = await agent.run(MISSING, { hidesExitCode });

      expect(first).toMatch(/^cat: .*No such file or directory\n$/);
      expect(second.startsWith(`${first}\n\n${GUIDANCE}`)).toBe(true);
      const advice = second.slice(second.indexOf(GUIDANCE));
      expect(advice).toContain('not_found');
      expect(advice).toContain('/nonexistent/file/path.txt');
      expect(advice).toContain('find');
      expect(advice).not.toContain('sudo');
      expect(agent.log).toEqual([expect.stringMatching(/^\[Fallback\] .*not_found/)]);
    },
  );

  it('says to step back after five failures, with its three questions, once', async () => {
    const seen = await new Agent().runAll(
      MISSING,
      'no-such-command-at-all',
      'cd /nonexistent/folder',
      'echo "Error: connection refused" >&2; exit 1',
      'ls /nonexistent/folder',
      'cat /nonexistent/other.txt',
    );
    const steppedBack = seen.map((message) => message.includes('(1)'));

    expect(steppedBack).toEqual([false, false, false, false, true, false]);
    const advice = seen[4]!.slice(seen[4]!.indexOf(GUIDANCE));
    const questions = advice.split(/\(\d\)/).slice(1);
    expect(questions.map((question) => question.includes('?'))).toEqual([true, true, true]);
    // What is said of the tool comes first.
    expect(advice.indexOf('code_execution_tool')).toBeLessThan(advice.indexOf('(1)'));
  });

  it('is silent when a success lies between two failures', async () => {
    const seen = await new Agent().runAll(MISSING, 'echo fine', 'no-such-command-at-all');
    expect(seen.join('')).not.toContain(GUIDANCE);
  });

  it('is silent about output that speaks of errors', async () => {
    const seen = await new Agent().runAll(
      'echo "0 errors, 0 failed; see error.log"',
      'echo "test_timeout_raises ... ok"',
      'echo "added 404 packages"; echo "permission denied errors are retried" ',
    );
    expect(seen.join('')).not.toContain(GUIDANCE);
  });

  it('masks secrets before the advisor and the model see them', async () => {
    const agent = new Agent();
    agent.hooks.register('tool_execute_after', '_10_mask_secrets', secretsMask);
    const login = 'echo "login failed: password=correct-horse-battery" >&2; exit 1';
    const seen = await agent.runAll(login, login);

    expect(agent.hooks.list('tool_execute_after')).toEqual([
      '_10_mask_secrets',
      '_30_tool_fallback_logger',
    ]);
    expect(seen[0]).toBe('login failed: password=***\n');
    expect(seen[1]).toContain(GUIDANCE);
    for (const kept of [...seen, ...agent.log, JSON.stringify(agent.data.get('_tool_failures'))])
      expect(kept).not.toContain('horse');
  });

  it('keeps its state under a key of its own and leaves that of others alone', async () => {
    const agent = new Agent();
    const tracker = { failures: 3 };
    agent.data.set('_failure_tracker', tracker);
    agent.hooks.register(
      'tool_execute_after',
      '_20_reset_failure_counter',
      ({ data, response }) => {
        if (response.additional?.['exitCode'] === 0) data.set('_failure_tracker', { failures: 0 });
        return undefined;
      },
    );

    await agent.runAll(MISSING, MISSING);
    expect(agent.data.get('_failure_tracker')).toBe(tracker);
    expect(tracker).toEqual({ failures: 3 });
    expect([...agent.data.keys()].sort()).toEqual(['_failure_tracker', '_tool_failures']);

    await agent.run('true');
    expect(agent.data.get('_failure_tracker')).toEqual({ failures: 0 });
    expect(await agent.run(MISSING)).not.toContain(GUIDANCE);
  });

  it('goes on from a state that was stored as JSON', async () => {
    const before = new Agent();
    await before.run(MISSING);
    const after = new Agent();
    after.data.set('_tool_failures', JSON.parse(JSON.stringify(before.data.get('_tool_failures'))));
    expect(await after.run(MISSING)).toContain(GUIDANCE);
  });

  it('speaks before the next call where the host asks for that', async () => {
    const seen = await new Agent({ speakAt: 'before' }).runAll(MISSING, MISSING, 'echo fine');

    expect(seen[1]).not.toContain(GUIDANCE);
    expect(seen[2]!.startsWith(GUIDANCE)).toBe(true);
    expect(seen[2]!.endsWith('\nfine\n')).toBe(true);
  });

  it('vetoes the same failing call only when it is told to', async () => {
    const lenient = new Agent();
    await lenient.runAll(MISSING, MISSING, MISSING, MISSING);
    expect(lenient.runs).toBe(4);

    const strict = new Agent({ veto: 'on' });
    const seen = await strict.runAll(MISSING, MISSING, MISSING);
    expect(strict.runs).toBe(2);
    expect(seen[2]).toContain('was not run');
  });

  it('goes on without advice when what it keeps cannot be read', async () => {
    const agent = new Agent();
    agent.data.set('_tool_failures', { version: 'none', history: 7, calls: [null] });
    expect(await agent.run('echo fine')).toBe('fine\n');

    agent.data.get = () => {
      throw new Error('the store is gone');
    };
    expect(await agent.run(MISSING)).toMatch(/^cat: .*No such file or directory\n$/);
    expect(agent.events.map(({ type, extension }) => [type, extension])).toEqual([
      ['extension-failed', '_30_tool_fallback_advisor'],
      ['extension-failed', '_30_tool_fallback_logger'],
    ]);
  });
});
