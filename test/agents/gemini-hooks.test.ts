import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { geminiResults, scriptedGemini } from '../support/scripted-gemini.ts';
import type { GeminiCall } from '../support/scripted-gemini.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { installAgents } from './install-agents.ts';
import { ownHoldfast } from './own-holdfast.ts';
import type { HoldfastPlace } from './own-holdfast.ts';

const { gemini } = await installAgents();

/** Calls that the model makes, those of one answer in a list. */
type Story = readonly (readonly GeminiCall[])[];

const shell = (command: string): GeminiCall => ({ name: 'run_shell_command', args: { command } });
const read = (path: string): GeminiCall => ({ name: 'read_file', args: { file_path: path } });

const FAILING = shell('cat missing.txt');
const STEP_BACK = 'Is there a simpler way';

describe(`Gemini CLI ${gemini.version} with the hooks`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-gemini-hooks-'));
  const holdfast = ownHoldfast(folder);
  let upstream: ScriptedUpstream;
  let story: Story = [];

  beforeAll(async () => {
    upstream = await startScriptedUpstream(scriptedGemini(() => story));
  });

  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function placeOf(name: string): HoldfastPlace {
    const place = { cwd: join(folder, name), home: join(folder, `home of ${name}`) };
    for (const each of Object.values(place)) mkdirSync(each, { recursive: true });
    return place;
  }

  /** Has the model make these calls, and gives the results as it is sent them in the end, one string for each. */
  async function resultsOf(name: string, calls: Story): Promise<readonly string[]> {
    story = calls;
    const { cwd, home } = placeOf(name);
    const from = upstream.requests.length;
    const printed = await gemini.run({
      url: upstream.origin,
      model: 'gemini-2.5-pro',
      prompt: 'Show it.',
      folder: cwd,
      home,
    });
    const asked = upstream.requests.slice(from).map(geminiResults);
    const last = asked.reduce((most, each) => (each.length > most.length ? each : most), []);
    expect(last, printed).toHaveLength(calls.flat().length);
    return last.map(({ output, error }) => output ?? error ?? '');
  }

  async function install(name: string, ...flags: readonly string[]): Promise<void> {
    await holdfast.run(['install', 'gemini', ...flags], placeOf(name));
  }

  test('a model that makes the same failing call twice is told so on the second result', async () => {
    await install('twice');
    const [first, second] = await resultsOf('twice', [[FAILING], [FAILING]]);

    expect(first).toContain('No such file');
    expect(first).not.toContain(ADVICE_PREFIX);
    expect(second).toContain('No such file');
    expect(second).toContain(
      `<hook_context>${ADVICE_PREFIX}The same run_shell_command call failed 2 times`,
    );
  });

  test('a tool that reports an error itself is told of behind that error', async () => {
    await install('error');
    const [first, second] = await resultsOf('error', [[read('nope.txt')], [read('nope.txt')]]);

    expect(first).toMatch(/^File not found: .*nope\.txt$/);
    expect(second).toMatch(/^File not found: .*nope\.txt\n\n/);
    expect(second).toContain(`${ADVICE_PREFIX}The same read_file call failed 2 times`);
  });

  test('five failures bring the step-back once, and calls that fire no hook are failures', async () => {
    await install('five');
    const results = await resultsOf('five', [
      [read('a.txt')],
      [shell('cat b.txt')],
      [{ name: 'cat_file', args: { path: 'c.txt' } }],
      [{ name: 'read_file', args: {} }],
      [shell('cat e.txt')],
      [shell('cat f.txt')],
    ]);

    const told = results.map((result) => result.includes(STEP_BACK));
    expect(told, results.join('\n')).toEqual([false, false, false, false, true, false]);
  });

  test('a run without failures is told nothing', async () => {
    await install('well');
    writeFileSync(join(placeOf('well').cwd, 'there.txt'), 'Error: none of yours');
    const results = await resultsOf('well', [
      [shell('printf one')],
      [shell('printf two'), read('there.txt')],
      [shell('printf "0 errors\\nExit Code: 3"')],
    ]);

    expect(results.join('\n')).toContain('Output: two');
    expect(results.join('\n')).not.toContain('hook_context');
    expect(results.join('\n')).not.toContain(ADVICE_PREFIX);
  });

  test('a call that only repeats what failed is stopped where that is wanted', async () => {
    await install('veto', '--veto');
    const counted = shell('echo run >> runs.txt; cat missing.txt');
    const results = await resultsOf('veto', [[counted], [counted], [counted]]);

    expect(results[2]).toMatch(/^Tool execution blocked: .*was not run/s);
    const runs = readFileSync(join(placeOf('veto').cwd, 'runs.txt'), 'utf8');
    expect(runs).toBe('run\nrun\n');
  });

  test('hooks work in the settings of a project that is trusted, with the comments there', async () => {
    const { cwd, home } = placeOf('project');
    for (const each of [cwd, home]) mkdirSync(join(each, '.gemini'));
    const trusted = JSON.stringify({ [cwd]: 'TRUST_FOLDER' });
    writeFileSync(join(home, '.gemini', 'trustedFolders.json'), trusted);
    const file = join(cwd, '.gemini', 'settings.json');
    writeFileSync(file, '{\n  // mine\n  "ui": { "hideTips": true }\n}\n');
    await install('project', '--project');
    expect(readFileSync(file, 'utf8')).toContain('// mine');
    const [, second] = await resultsOf('project', [[FAILING], [FAILING]]);
    expect(second).toContain('The same run_shell_command call failed 2 times');

    // The settings have been read by the time that `--skip-trust` is.
    rmSync(join(home, '.gemini', 'trustedFolders.json'));
    const untold = await resultsOf('project', [[FAILING], [FAILING]]);
    expect(untold.join('\n')).not.toContain(ADVICE_PREFIX);
  });

  test('tools run though Holdfast is gone', async () => {
    const gone = ownHoldfast(join(folder, 'to go'));
    await gone.run(['install', 'gemini', '--veto'], placeOf('gone'));
    gone.remove();
    const calls = [[shell('echo fine > proof.txt')], [FAILING], [FAILING]];
    const [first, ...others] = await resultsOf('gone', calls);

    expect(first).toContain('Output: (empty)');
    expect(existsSync(join(placeOf('gone').cwd, 'proof.txt'))).toBe(true);
    expect(others.join('\n')).not.toContain(ADVICE_PREFIX);
  });

  test('tools run though the Node is gone that the hooks name', async () => {
    await install('moved');
    const file = join(placeOf('moved').home, '.gemini', 'settings.json');
    const settings = readFileSync(file, 'utf8');
    writeFileSync(file, settings.replaceAll(process.execPath, '/nowhere/node'));
    const [result] = await resultsOf('moved', [[shell('echo fine > proof.txt')]]);

    expect(result).toContain('Output: (empty)');
    expect(existsSync(join(placeOf('moved').cwd, 'proof.txt'))).toBe(true);
  });

  test('settings are as they were when the hooks are taken out again', async () => {
    const place = placeOf('out');
    const file = join(place.home, '.gemini', 'settings.json');
    const before = '{\n  // mine\n  "ui": { "hideTips": true }\n}\n';
    mkdirSync(dirname(file));
    writeFileSync(file, before);
    await install('out');
    expect(readFileSync(file, 'utf8').match(/"holdfast-\w+"/g)).toHaveLength(3);
    expect(await holdfast.run(['doctor', 'gemini'], place)).toContain('The hook works');
    await holdfast.run(['uninstall', 'gemini'], place);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
