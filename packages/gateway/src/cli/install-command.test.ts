import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A home in which Gemini CLI has these settings, and a way to run commands there. */
async function home(settings?: string): Promise<{
  readonly folder: string;
  readonly file: string;
  readonly holdfast: (...args: readonly string[]) => Promise<Said>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-home-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, '.gemini', 'settings.json');
  if (settings !== undefined) {
    await mkdir(dirname(file));
    await writeFile(file, settings);
  }
  const env = { HOME: folder, USERPROFILE: folder, HOLDFAST_STATE_DIR: join(folder, 'state') };
  return {
    folder,
    file,
    holdfast: async (...args) => {
      const io = memoryIo({ env });
      const code = await run(args, io);
      return { code, out: io.out(), err: io.err() };
    },
  };
}

describe('holdfast install', () => {
  test('tells programs what it changed, and uninstall what it gave back', async () => {
    const { file, holdfast } = await home('{}\n');
    const json = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await holdfast(...args, '--json')).out);
    const backup = `${file}.holdfast-backup`;

    expect(await json('install', 'gemini', '--dry-run')).toMatchObject({
      agent: 'gemini',
      is_dry_run: true,
      files: [{ path: file, change: 'updated' }],
    });
    expect(await readFile(file, 'utf8')).toBe('{}\n');
    expect(await json('install', 'gemini')).toMatchObject({
      is_dry_run: false,
      files: [{ path: file, change: 'updated', backup }],
      notes: expect.arrayContaining([expect.stringContaining('restart it')]) as string[],
    });
    expect(await json('install', 'gemini')).toMatchObject({ files: [] });
    expect(await json('uninstall', 'gemini')).toMatchObject({
      files: [{ path: file, change: 'restored' }],
    });
    expect(await readFile(file, 'utf8')).toBe('{}\n');
  });

  test('shows the difference, what it did and what is left to do', async () => {
    const { file, holdfast } = await home('{\n  "theme": "dark"\n}\n');

    const { code, out, err } = await holdfast('install', 'gemini');

    expect({ code, err }).toEqual({ code: EXIT.ok, err: '' });
    const lines = out.split('\n');
    expect(lines.slice(0, 6)).toEqual([
      `--- ${file}`,
      `+++ ${file}`,
      expect.stringMatching(/^@@ -1,3 \+1,\d+ @@$/),
      ' {',
      '-  "theme": "dark"',
      '+  "theme": "dark",',
    ]);
    expect(lines).toContain(`updated ${file}, kept what it was in ${file}.holdfast-backup`);
    expect(out).toContain('restart it');
    expect(await readFile(file, 'utf8')).toContain('hook gemini');
  });

  test('a second time there is nothing to do', async () => {
    const { file, holdfast } = await home();
    expect((await holdfast('install', 'gemini')).out).toContain(`\ninstalled ${file}\n`);

    const { code, out } = await holdfast('install', 'gemini');

    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(/^unchanged: Gemini CLI has the hooks of Holdfast\n/);
  });

  test('a dry run shows the same and writes nothing', async () => {
    const { folder, file, holdfast } = await home('{}');

    const { code, out } = await holdfast('install', 'gemini', '--dry-run');

    expect(code).toBe(EXIT.ok);
    expect(out).toContain('hook gemini');
    expect(out).toContain(`\nwould update ${file}\n`);
    expect(await readFile(file, 'utf8')).toBe('{}');
    expect(await readdir(folder)).toEqual(['.gemini']);
  });

  test('files that are ours alone have a line each, and are shown by a dry run', async () => {
    const { folder, holdfast } = await home();
    const root = join(folder, 'a0');
    await mkdir(join(root, 'python', 'helpers'), { recursive: true });
    await mkdir(join(root, 'python', 'extensions'));
    await writeFile(join(root, 'python', 'helpers', 'extension.py'), 'class Extension: pass\n');
    await writeFile(join(root, 'agent.py'), '# tool_execute_before, tool_execute_after\n');
    const files = [
      join(root, 'python', 'extensions', 'tool_execute_before', '_30_tool_fallback_advisor.py'),
      join(root, 'python', 'extensions', 'tool_execute_after', '_30_tool_fallback_logger.py'),
    ];
    const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await holdfast(...args, '--root', root)).out.trimEnd().split('\n');

    const shown = await lines('install', 'agent-zero', '--dry-run');
    expect(shown).toContain(`+++ ${files[0]}`);
    expect(shown).toContain('+class ToolFallbackAdvisor(Extension):');
    expect(await lines('install', 'agent-zero')).toEqual([
      ...files.map((file) => `installed ${file}`),
      'Restart agent-zero, so that it loads them.',
    ]);
    expect(await lines('uninstall', 'agent-zero')).toEqual([
      ...files.map((file) => `removed ${file}`),
      'Restart agent-zero, so that it forgets them.',
    ]);
  });

  test('the option to stop calls is written into the hook', async () => {
    const { file, holdfast } = await home();
    await holdfast('install', 'gemini', '--veto');

    expect(await readFile(file, 'utf8')).toContain('hook gemini --veto');
    await holdfast('install', 'gemini');
    expect(await readFile(file, 'utf8')).not.toContain('--veto');
  });

  test('a file that is no JSON is named with the place, and stays', async () => {
    const { file, holdfast } = await home('{\n  "theme": dark\n}');

    const { code, out, err } = await holdfast('install', 'gemini');

    expect({ code, out }).toEqual({ code: EXIT.misuse, out: '' });
    expect(err).toBe(`holdfast: ${file}:2:12: not JSON: expected a value, got d\n`);
    expect(await readFile(file, 'utf8')).toBe('{\n  "theme": dark\n}');
  });

  test('what is in the file cannot steer the terminal', async () => {
    const { holdfast } = await home('{\n  "theme": "\u202e"\n}\n');

    const { out } = await holdfast('install', 'gemini', '--dry-run');

    expect(out).toContain('<U+202E>');
    expect(out).not.toContain('\u202e');
  });

  test.each([
    [[], 'expected an agent: claude-code, codex, gemini, opencode, agent-zero'],
    [['clade-code'], 'did you mean claude-code?'],
    [['codex', 'gemini'], 'expected one agent, got codex gemini'],
    [['codex', '--user', '--project'], 'expected --user or --project, got both'],
    [['codex', '--root', '/a0'], '--root: expected with agent-zero only, got with codex'],
    [['agent-zero', '--root', '/no/such/place'], 'no agent-zero in /no/such/place'],
  ])('refuses %j', async (args, message) => {
    const { holdfast } = await home();

    for (const command of ['install', 'uninstall']) {
      const { code, err } = await holdfast(command, ...args);
      expect(code).toBe(EXIT.misuse);
      expect(err).toContain(message);
    }
  });
});

describe('holdfast uninstall', () => {
  test('gives back the file and says so', async () => {
    const { file, holdfast } = await home('{ "theme" : "dark" }');
    await holdfast('install', 'gemini');

    expect((await holdfast('uninstall', 'gemini', '--dry-run')).out).toContain(
      `\nwould restore ${file}\n`,
    );
    const { code, out } = await holdfast('uninstall', 'gemini');

    expect(code).toBe(EXIT.ok);
    expect(out).toContain(`\nrestored ${file}\n`);
    expect(await readFile(file, 'utf8')).toBe('{ "theme" : "dark" }');
    expect(await readdir(dirname(file))).toEqual(['settings.json']);
  });

  test('says where our entries went and the rest stayed, and where there are none', async () => {
    const { file, holdfast } = await home('{ "theme" : "dark" }');
    await holdfast('install', 'gemini');
    await writeFile(file, (await readFile(file, 'utf8')).replace('dark', 'light'));

    expect((await holdfast('uninstall', 'gemini')).out).toContain(
      `\ntook our entries out of ${file}\n`,
    );
    expect(await readFile(file, 'utf8')).toBe('{ "theme" : "light" }');
    expect((await holdfast('uninstall', 'gemini')).out).toContain(
      'unchanged: Gemini CLI has no hooks of Holdfast\n',
    );
  });
});
