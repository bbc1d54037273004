import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from '../support/messages-stream-of.ts';
import { readText } from '../support/repository.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';
import { installAgents } from './install-agents.ts';
import { ownHoldfast } from './own-holdfast.ts';

const { claude } = await installAgents();

/** Calls that the model makes, those of one answer in a list. */
type Story = readonly (readonly Call[])[];
type Call = readonly [name: string, input: object];

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

const shell = (command: string): Call => ['Bash', { command, description: 'Runs it' }];
const read = (file: string): Call => ['Read', { file_path: file }];
const FAILING = shell('cat missing.txt');
/** What the model asks an agent of its own for. */
const DELEGATED = 'Look for the file.';
const STEP_BACK = '5 of the last 5 tool calls failed';

describe(`Claude Code ${claude.version} with the hooks`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-claude-code-hooks-'));
  const own = ownHoldfast(folder);
  let upstream: ScriptedUpstream;
  let story: Story = [];
  let delegatedStory: Story = [];

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { messages = [], tools = [], stream } = bodyOf(request);
      const at = messages.filter(hasCalls).length;
      const told = isDelegated(messages) ? delegatedStory : story;
      const calls = tools.length === 0 ? undefined : told[at];
      const blocks =
        calls?.map(([name, input], index) => {
          return {
            type: 'tool_use' as const,
            id: `${told === story ? 'toolu' : 'toolu_of_agent'}_${at}_${index}`,
            name,
            input,
          };
        }) ?? ([{ type: 'text', text: 'Done.' }] as const);
      const stopReason = calls === undefined ? 'end_turn' : 'tool_use';
      const events = messagesEvents(blocks, { stopReason, id: `msg_${at}` });
      return {
        body: stream === true ? messagesStreamOf(events) : messagesBodyOf(blocks, stopReason),
      };
    });
  });

  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const homeOf = (name: string): string => join(folder, `home of ${name}`);

  function holdfast(name: string, args: readonly string[], by = own): Promise<string> {
    mkdirSync(homeOf(name), { recursive: true });
    return by.run(args, { cwd: folder, home: homeOf(name) });
  }

  /**
   * Has the model make these calls, and gives what it is told beside their results: one text for each time that it
   * is asked again, '' where there is none.
   */
  async function toldIn(name: string, calls: Story): Promise<readonly string[]> {
    story = calls;
    const work = join(folder, name);
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, 'a.txt'), 'alpha\nbeta\n');
    const from = upstream.requests.length;
    const printed = await claude.run({
      url: upstream.origin,
      model: 'scripted',
      prompt: 'Show it.',
      folder: work,
      home: homeOf(name),
    });
    const asked = upstream.requests.slice(from).map(bodyOf);
    const told = toldTo(asked, (messages) => !isDelegated(messages));
    expect(told, printed).toHaveLength(calls.length);
    return told;
  }

  /** The same, with the hooks installed before. */
  async function toldWithHooks(
    name: string,
    calls: Story,
    flags: readonly string[] = [],
  ): Promise<readonly string[]> {
    await holdfast(name, ['install', 'claude-code', ...flags]);
    return toldIn(name, calls);
  }

  test('a model that makes the same failing call twice is told so with the second result', async () => {
    const [first, second] = await toldWithHooks('twice', [[FAILING], [FAILING]]);

    expect(first).toBe('');
    expect(second).toContain(`${ADVICE_PREFIX}The same Bash call failed 2 times`);
    expect(second!.split(ADVICE_PREFIX)).toHaveLength(2);
    expect(readText('docs/agents-claude-code.md')).toContain(second);
  });

  test('five failures bring the step-back once', async () => {
    const missing = (name: string): Call => read(join(folder, 'five', name));
    const told = await toldWithHooks('five', [
      [missing('b.txt')],
      [shell('cat c.txt')],
      [missing('d.txt')],
      [shell('cat e.txt')],
      [missing('f.txt')],
      [shell('cat g.txt')],
      [missing('h.txt')],
    ]);

    const isStepBack = told.map((text) => text.includes(STEP_BACK));
    expect(isStepBack, told.join('\n')).toEqual([false, false, false, false, true, false, false]);
  });

  test('a run without failures is told nothing', async () => {
    const told = await toldWithHooks('well', [
      [shell('printf one')],
      [shell('printf two'), read(join(folder, 'well', 'a.txt'))],
      [shell('echo "Error: none of yours"')],
      [shell('grep nothing a.txt')],
    ]);

    expect(told).toEqual(['', '', '', '']);
  });

  test('a tool that does not exist is noticed, though it has no hook of its own', async () => {
    const [first, second] = await toldWithHooks('unknown', [
      [['Cat', { file: 'a.txt' }]],
      [['Cat', { path: 'a.txt' }]],
    ]);

    expect(`${first}${second}`).toContain('Cat');
    expect(second).toContain(ADVICE_PREFIX);
  });

  test('calls that are refused before they run are noticed', async () => {
    const edit: Call = ['Edit', { file_path: 'a.txt', old_string: 'none', new_string: 'b' }];
    const [first, second] = await toldWithHooks('refused', [[edit], [edit]]);
    expect(first).toBe('');
    expect(second).toContain('The same Edit call failed 2 times');

    const wrong: Call = ['Bash', { cmd: 'ls' }];
    const [third, fourth] = await toldWithHooks('invalid', [[wrong], [wrong]]);
    expect(third).toBe('');
    expect(fourth).toContain('The same Bash call failed 2 times');
  });

  test('calls of one answer are one try, and there is one message for all of them', async () => {
    const missing = ['b.txt', 'c.txt', 'd.txt'].map((name) => read(join(folder, name)));
    const [first, second] = await toldWithHooks('parallel', [
      [...missing, shell('printf one')],
      [...missing, FAILING],
    ]);

    expect(first).toBe('');
    expect(second).toContain('Read');
    expect(second!.split(ADVICE_PREFIX)).toHaveLength(2);
  });

  test('an agent of the model is watched for itself', async () => {
    const input = {
      description: 'Looks for it',
      prompt: DELEGATED,
      subagent_type: 'general-purpose',
    };
    delegatedStory = [[FAILING], [FAILING]];
    const from = upstream.requests.length;
    const told = await toldWithHooks('delegated', [[FAILING], [['Agent', input]]]);

    expect(told).toEqual(['', '']);
    const [first, second] = toldTo(upstream.requests.slice(from).map(bodyOf), isDelegated);
    expect(first).toBe('');
    expect(second).toContain('The same Bash call failed 2 times');
  });

  test('a call that only repeats what failed is stopped where that is wanted', async () => {
    const count = shell('echo run >> runs.txt; cat missing.txt');
    await toldWithHooks('veto', [[count], [count], [count]], ['--veto']);

    expect(readFileSync(join(folder, 'veto', 'runs.txt'), 'utf8')).toBe('run\nrun\n');
    expect(upstream.requests.at(-1)!.body).toContain('was not run');
  });

  test('hooks of a project are run there', async () => {
    const cwd = join(folder, 'project');
    for (const each of [cwd, homeOf('project')]) mkdirSync(each, { recursive: true });
    await own.run(['install', 'claude-code', '--project'], { cwd, home: homeOf('project') });
    expect(existsSync(join(cwd, '.claude', 'settings.json'))).toBe(true);

    const [first, second] = await toldIn('project', [[FAILING], [FAILING]]);
    expect(first).toBe('');
    expect(second).toContain('The same Bash call failed 2 times');
  });

  test('settings with comments are passed over, which the install says', async () => {
    const settings = join(homeOf('comments'), '.claude', 'settings.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{\n  // mine\n  "cleanupPeriodDays": 20\n}\n');
    const printed = await holdfast('comments', ['install', 'claude-code']);

    expect(printed).toContain('Claude Code reads no file with comments');
    expect(await toldIn('comments', [[FAILING], [FAILING]])).toEqual(['', '']);
    const plain = readFileSync(settings, 'utf8').replace('// mine', '');
    writeFileSync(settings, `\uFEFF${plain}`);
    const [, second] = await toldIn('comments', [[FAILING], [FAILING]]);
    expect(second).toContain('The same Bash call failed 2 times');
  });

  test('tools run though Holdfast is gone', async () => {
    const gone = ownHoldfast(join(folder, 'to go'));
    await holdfast('gone', ['install', 'claude-code', '--veto'], gone);
    gone.remove();

    const calls = [[shell('echo fine > proof.txt')], [FAILING], [FAILING]];
    expect(await toldIn('gone', calls)).toEqual(['', '', '']);
    expect(readFileSync(join(folder, 'gone', 'proof.txt'), 'utf8')).toBe('fine\n');
  });

  test('hooks that are taken out again are gone', async () => {
    await holdfast('out', ['install', 'claude-code']);
    const settings = join(homeOf('out'), '.claude', 'settings.json');
    expect(readFileSync(settings, 'utf8')).toContain('PostToolBatch');
    await holdfast('out', ['uninstall', 'claude-code']);

    expect(existsSync(settings)).toBe(false);
    expect(await toldIn('out', [[FAILING], [FAILING]])).toEqual(['', '']);
  });
});

/** What is said beside the results of each answer with calls, in the last request of a conversation. */
function toldTo(
  asked: readonly ModelRequest[],
  isWanted: (messages: readonly Message[]) => boolean,
): readonly string[] {
  const { messages: last = [] } =
    asked.findLast(({ tools = [], messages = [] }) => tools.length > 0 && isWanted(messages)) ?? {};
  const answers = last.flatMap((message, index) => (hasCalls(message) ? [index] : []));
  return answers.map((start, index) => {
    const between = last.slice(start, answers[index + 1]);
    const texts = between.flatMap(textsIn).filter((text) => text.includes(ADVICE_PREFIX));
    return texts.join('\n');
  });
}

const isDelegated = ([first]: readonly Message[]): boolean =>
  first !== undefined && textsIn(first).some((text) => text.includes(DELEGATED));

const hasCalls = ({ role, content }: Message): boolean =>
  role === 'assistant' &&
  typeof content !== 'string' &&
  content.some(({ type }) => type === 'tool_use');

const textsIn = ({ content }: Message): readonly string[] =>
  typeof content === 'string' ? [content] : content.map(({ text }) => text ?? '');

interface ModelRequest {
  readonly messages?: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
}

const bodyOf = ({ json }: RecordedRequest): ModelRequest => json as ModelRequest;
