import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import type { JsonObject } from '@holdfast/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  callItem,
  event,
  messageItem,
  responseOf,
  responsesStreamOf,
} from '../support/responses-stream-of.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';
import { installAgents } from './install-agents.ts';
import { ownHoldfast } from './own-holdfast.ts';

const { codex } = await installAgents();

/** One call of the model in each answer. */
type Story = readonly Call[];
type Call = (id: string) => object;

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
}

const shell =
  (cmd: string): Call =>
  (id) =>
    callItem(id, { name: 'exec_command', arguments: { cmd } });

const tool =
  (name: string, args: JsonObject): Call =>
  (id) =>
    callItem(id, { name, arguments: args });

/** A call whose arguments are a text. */
const custom =
  (name: string, input: string): Call =>
  (id) => ({
    type: 'custom_tool_call',
    id: `ctc_${id}`,
    status: 'completed',
    call_id: id,
    name,
    input,
  });

const patch = (file: string): Call =>
  custom('apply_patch', `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`);

const FAILING = shell('cat missing.txt');
const STEP_BACK = '5 of the last 5 tool calls failed';
/** What stands for the user's consent, where that is not what is tested. */
const UNREVIEWED = ['--dangerously-bypass-hook-trust'];

describe(`Codex ${codex.version} with the hooks`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-codex-hooks-'));
  const own = ownHoldfast(folder);
  let upstream: ScriptedUpstream;
  let story: Story = [];
  let from = 0;

  beforeAll(async () => {
    upstream = await startScriptedUpstream((_, index) => {
      const at = index - from;
      return { body: answerOf(story[at]?.(`call_${at}`) ?? messageItem('Done.')) };
    });
  });

  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function folderOf(name: string): { readonly folder: string; readonly home: string } {
    const both = { folder: join(folder, name), home: join(folder, `home of ${name}`) };
    for (const each of Object.values(both)) mkdirSync(each, { recursive: true });
    return both;
  }

  function holdfast(name: string, args: readonly string[], by = own): Promise<string> {
    const { home, folder: cwd } = folderOf(name);
    return by.run(args, { cwd, home });
  }

  /**
   * Has the model make these calls, and gives what it is told beside their results: one text for each, '' where
   * there is none.
   */
  async function toldIn(
    name: string,
    calls: Story,
    {
      flags = UNREVIEWED,
      model = 'gpt-5.5',
    }: { readonly flags?: readonly string[]; readonly model?: string } = {},
  ): Promise<readonly string[]> {
    story = calls;
    from = upstream.requests.length;
    const task = { url: upstream.origin, model, prompt: 'Show it.', ...folderOf(name) };
    const printed = await codex.runWith(task, flags);
    const items = itemsOf(upstream.requests.at(-1)!);
    const starts = items.flatMap((item, index) => (CALLS.has(item.type) ? [index] : []));
    expect(starts, printed).toHaveLength(calls.length);
    return starts.map((start, index) =>
      items
        .slice(start, starts[index + 1])
        .flatMap(adviceIn)
        .join('\n'),
    );
  }

  test('a model that makes the same failing call twice is told so with the second result', async () => {
    await holdfast('twice', ['install', 'codex']);
    const [first, second] = await toldIn('twice', [FAILING, FAILING]);

    expect(first).toBe('');
    expect(second).toContain(`${ADVICE_PREFIX}The same Bash call failed 2 times`);
    expect(second!.split(ADVICE_PREFIX)).toHaveLength(2);
  });

  test('five failures bring the step-back once', async () => {
    await holdfast('five', ['install', 'codex']);
    const told = await toldIn('five', [
      shell('cat b.txt'),
      patch('c.txt'),
      shell('cat d.txt'),
      patch('e.txt'),
      shell('cat f.txt'),
      shell('cat g.txt'),
      shell('cat h.txt'),
    ]);

    const isStepBack = told.map((text) => text.includes(STEP_BACK));
    expect(isStepBack, told.join('\n')).toEqual([false, false, false, false, true, false, false]);
  });

  test('a run without failures is told nothing', async () => {
    await holdfast('well', ['install', 'codex']);
    const told = await toldIn('well', [
      shell('printf one'),
      shell('echo "Error: none of yours"'),
      shell('printf alpha > a.txt'),
      shell('grep nothing a.txt'),
    ]);

    expect(told).toEqual(['', '', '', '']);
  });

  test('failures that fire no hook are told of at the next call', async () => {
    await holdfast('unheard', ['install', 'codex']);
    const told = await toldIn('unheard', [
      patch('missing.txt'),
      patch('missing.txt'),
      tool('read_file', { path: 'a.txt' }),
      shell('printf one'),
    ]);

    expect(told.slice(0, 2)).toEqual(['', '']);
    expect(told.join('\n')).toContain('The same apply_patch call failed 2 times');
    expect(told.join('\n')).toContain('read_file');
  });

  test('calls that a script makes are seen, by models that write scripts', async () => {
    await holdfast('script', ['install', 'codex']);
    const script = 'text(await tools.exec_command({ cmd: "cat missing.txt" }));';
    const calls = [custom('exec', script), custom('exec', `${script} text("again");`)];
    const [first, second] = await toldIn('script', calls, { model: 'gpt-6-sol' });

    expect(first).toBe('');
    expect(second).toContain('The same Bash call failed 2 times');
  });

  test('a call that only repeats what failed is stopped where that is wanted', async () => {
    await holdfast('veto', ['install', 'codex', '--veto']);
    const count = shell('echo run >> runs.txt; cat missing.txt');
    await toldIn('veto', [count, count, count]);

    expect(readFileSync(join(folder, 'veto', 'runs.txt'), 'utf8')).toBe('run\nrun\n');
    expect(upstream.requests.at(-1)!.body).toContain('blocked by PreToolUse hook');
  });

  test('hooks of a project are run where its folder is trusted, and they are', async () => {
    await holdfast('project', ['install', 'codex', '--project']);
    const { folder: cwd, home } = folderOf('project');
    const trusted = `[projects.${JSON.stringify(realpathSync(cwd))}]\ntrust_level = "trusted"\n`;
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), trusted);
    expect(await toldIn('project', [FAILING, FAILING], { flags: [] })).toEqual(['', '']);

    expect(await codex.trustHooks(folderOf('project'))).toEqual(['trusted', 'trusted', 'trusted']);
    const printed = await holdfast('project', ['doctor', 'codex', '--project']);
    expect(printed).toContain('All is well');
    const [, second] = await toldIn('project', [FAILING, FAILING], { flags: [] });
    expect(second).toContain('The same Bash call failed 2 times');
  });

  test('tools run though Holdfast is gone', async () => {
    const gone = ownHoldfast(join(folder, 'to go'));
    await holdfast('gone', ['install', 'codex', '--veto'], gone);
    gone.remove();

    const calls = [shell('echo fine > proof.txt'), FAILING, FAILING];
    expect(await toldIn('gone', calls)).toEqual(['', '', '']);
    expect(readFileSync(join(folder, 'gone', 'proof.txt'), 'utf8')).toBe('fine\n');
  });

  test('hooks run when the user trusts them, and not before', async () => {
    await holdfast('trust', ['install', 'codex']);
    expect(await toldIn('trust', [FAILING, FAILING], { flags: [] })).toEqual(['', '']);
    expect(await holdfast('trust', ['doctor', 'codex'])).toContain('is not trusted');

    expect(await codex.trustHooks(folderOf('trust'))).toEqual(['trusted', 'trusted', 'trusted']);
    const printed = await holdfast('trust', ['doctor', 'codex']);
    expect(printed).not.toContain('not trusted');
    expect(printed).toContain('it is trusted');
    const [, second] = await toldIn('trust', [FAILING, FAILING], { flags: [] });
    expect(second).toContain('The same Bash call failed 2 times');

    await holdfast('trust', ['uninstall', 'codex']);
    expect(await toldIn('trust', [FAILING, FAILING], { flags: [] })).toEqual(['', '']);
  });
});

const CALLS: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call']);

/** Codex reads of an answer the items that are complete, and its end. */
function answerOf(item: object): string {
  return responsesStreamOf([
    event('response.created', { response: responseOf([], 'in_progress') }),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', { response: responseOf([item]) }),
  ]);
}

const itemsOf = ({ json }: RecordedRequest): readonly Item[] =>
  (json as { readonly input: readonly Item[] }).input;

const adviceIn = ({ role, content = [] }: Item): readonly string[] =>
  role === 'developer'
    ? content.flatMap(({ text = '' }) => (text.includes(ADVICE_PREFIX) ? [text] : []))
    : [];
