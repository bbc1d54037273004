import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBody, chatEvents } from '../support/chat-stream-of.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';
import { installAgents } from './install-agents.ts';
import { ownHoldfast } from './own-holdfast.ts';

const { openCode } = await installAgents();

/** Calls that the model makes, those of one answer in a list. */
type Story = readonly (readonly Call[])[];

interface Call {
  readonly name: string;
  readonly arguments: object;
}

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly unknown[];
}

const shell = (command: string): Call => ({
  name: 'bash',
  arguments: { command, description: 'Runs it' },
});
const edit = (filePath: string): Call => ({
  name: 'edit',
  arguments: { filePath, oldString: 'a', newString: 'b' },
});
const FAILING = shell('cat missing.txt');
const STEP_BACK = 'Is there a simpler way';

describe(`opencode ${openCode.version} with the hooks`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-opencode-hooks-'));
  const holdfast = ownHoldfast(folder);
  let upstream: ScriptedUpstream;
  let story: Story = [];

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { messages = [], tools, stream } = bodyOf(request);
      const answered = messages.filter(({ tool_calls: calls = [] }) => calls.length > 0).length;
      const calls = tools === undefined ? undefined : story[answered];
      // Ids begin anew with each answer, as servers of local models have them.
      const tool_calls = calls?.map(({ name, arguments: args }, index) => ({
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }));
      const message = {
        role: 'assistant',
        content: calls === undefined ? 'Done.' : '',
        tool_calls,
      };
      const finishReason = calls === undefined ? 'stop' : 'tool_calls';
      const body = stream === true ? chatEvents([message], { finishReason }) : chatBody(message);
      return { body };
    });
  });

  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Has the model make these calls, and gives the results as it is sent them in the end, one string for each. */
  async function resultsOf(
    name: string,
    calls: Story,
    installs: readonly (readonly string[])[] = [[]],
  ): Promise<readonly string[]> {
    story = calls;
    const own = join(folder, name);
    const home = join(folder, 'home');
    for (const each of [own, home]) mkdirSync(each, { recursive: true });
    for (const flags of installs) {
      await holdfast.run(['install', 'opencode', ...flags], { cwd: own, home });
    }
    const from = upstream.requests.length;
    const printed = await openCode.run({
      url: upstream.origin,
      model: 'scripted',
      prompt: 'Show it.',
      folder: own,
      home,
      hooks: true,
    });
    const asked = upstream.requests.slice(from).map((request) => bodyOf(request).messages ?? []);
    const last = asked.reduce((most, each) => (each.length > most.length ? each : most), []);
    const results = last.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results, printed).toHaveLength(calls.flat().length);
    return results;
  }

  test('a model that makes the same failing call twice is told so on the second result', async () => {
    const [first, second] = await resultsOf('twice', [[FAILING], [FAILING]]);

    expect(first).toContain('No such file');
    expect(first).not.toContain(ADVICE_PREFIX);
    expect(second).toContain('No such file');
    expect(second).toContain(`${ADVICE_PREFIX}The same bash call failed 2 times`);
  });

  test('a call is told once, also where the hooks are there for the user and for the project', async () => {
    const missing = edit(join(folder, 'both', 'missing.txt'));
    const calls = [[FAILING], [FAILING], [missing], [missing]];
    const results = await resultsOf('both', calls, [[], ['--project']]);

    const told = results.map((result) => result.split(ADVICE_PREFIX).length - 1);
    expect(told, results.join('\n')).toEqual([0, 1, 0, 1]);
  });

  test('five failures bring the step-back once, and calls that throw are failures', async () => {
    const missing = (name: string): Call => edit(join(folder, 'five', name));
    const results = await resultsOf('five', [
      [missing('a.txt')],
      [shell('cat b.txt')],
      [missing('c.txt')],
      [shell('cat d.txt')],
      [missing('e.txt')],
      [shell('cat f.txt')],
    ]);

    const told = results.map((result) => result.includes(STEP_BACK));
    expect(told, results.join('\n')).toEqual([false, false, false, false, true, false]);
  });

  test('a call that throws twice is noticed', async () => {
    const missing = edit(join(folder, 'throws', 'missing.txt'));
    const [first, second] = await resultsOf('throws', [[missing], [missing]]);

    expect(first).toMatch(/not found$/);
    expect(second).toContain(`${ADVICE_PREFIX}The same edit call failed 2 times`);
  });

  test('a run without failures is told nothing, and all it said is as it was', async () => {
    const results = await resultsOf('well', [
      [shell('printf one')],
      [shell('printf two'), shell('echo Error: none of yours')],
      [shell('grep -c nothing opencode.json')],
    ]);

    expect(results).toEqual(['one', 'two', 'Error: none of yours\n', '0\n']);
  });

  test('a call that only repeats what failed is stopped where that is wanted', async () => {
    const count = 'echo run >> runs.txt; cat missing.txt';
    const calls = [[shell(count)], [shell(count)], [shell(count)]];
    const results = await resultsOf('veto', calls, [['--veto']]);

    expect(results[2]).toContain('was not run');
    expect(readFileSync(join(folder, 'veto', 'runs.txt'), 'utf8')).toBe('run\nrun\n');
  });

  test('tools run though Holdfast is gone', async () => {
    const gone = ownHoldfast(join(folder, 'to go'));
    const cwd = join(folder, 'gone');
    mkdirSync(cwd);
    // In place of the one that the others have.
    await gone.run(['install', 'opencode', '--veto'], { cwd, home: join(folder, 'home') });
    gone.remove();
    const results = await resultsOf('gone', [[shell('printf fine')], [FAILING], [FAILING]], []);

    expect(results[0]).toBe('fine');
    expect(results.join('\n')).not.toContain(ADVICE_PREFIX);
  });

  test('a plugin that is taken out again is gone', async () => {
    const own = join(folder, 'out');
    mkdirSync(join(own, 'plugins'), { recursive: true });
    writeFileSync(join(own, 'plugins', 'mine.js'), 'export {};\n');
    const file = join(own, 'plugins', 'holdfast.js');
    const place = { cwd: own, home: own, env: { OPENCODE_CONFIG_DIR: own } };

    await holdfast.run(['install', 'opencode'], place);
    expect(readFileSync(file, 'utf8')).toContain('holdfast uninstall opencode');
    await holdfast.run(['uninstall', 'opencode'], place);
    expect(() => readFileSync(file)).toThrow('ENOENT');
    expect(readFileSync(join(own, 'plugins', 'mine.js'), 'utf8')).toBe('export {};\n');
  });
});

function bodyOf({ json }: RecordedRequest): {
  readonly messages?: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
} {
  return json as ReturnType<typeof bodyOf>;
}
