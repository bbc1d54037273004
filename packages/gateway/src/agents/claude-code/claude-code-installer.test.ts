import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { HostCheck, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { claudeCodeInstaller } from './claude-code-installer.ts';

const OTHERS = `{
  // mine
  "model": "opus",
  "hooks": {
    "PostToolUseFailure": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "say oh" }] },
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "other", "args": ["x", "hook", "claude-code"] }] }],
  },
}
`;

let home: string;
let settings: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdfast-claude-code-'));
  settings = join(home, '.claude', 'settings.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const contextOf = (fields: Partial<InstallContext> = {}): InstallContext => ({
  scope: 'user',
  project: join(home, 'proj'),
  home,
  env: { PATH: join(home, 'bin') },
  root: '/a0',
  node: process.execPath,
  script: join(home, 'holdfast.js'),
  veto: false,
  ...fields,
});

function save(text: string, path = settings): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Does what a plan says, to the one file it may name. */
function apply({ edits }: InstallPlan): string | undefined {
  expect(edits).toHaveLength(1);
  const { path, after } = edits[0]!;
  if (after === undefined) rmSync(path);
  else save(after, path);
  return after;
}

const install = (fields?: Partial<InstallContext>): Promise<InstallPlan> =>
  claudeCodeInstaller.install(contextOf(fields));
const uninstall = (): Promise<InstallPlan> => claudeCodeInstaller.uninstall(contextOf());

describe('install', () => {
  test('writes settings where there are none, by the exact shape that Claude Code reads', async () => {
    const { edits, notes } = await install();
    const hook = {
      type: 'command',
      command: process.execPath,
      args: [join(home, 'holdfast.js'), 'hook', 'claude-code'],
      timeout: 5,
    };

    expect(edits).toMatchObject([{ path: settings, before: undefined }]);
    expect(JSON.parse(edits[0]!.after!)).toEqual({
      hooks: {
        PostToolUseFailure: [{ matcher: '*', hooks: [hook] }],
        PostToolBatch: [{ hooks: [hook] }],
        PermissionDenied: [{ matcher: '*', hooks: [hook] }],
        UserPromptSubmit: [{ hooks: [hook] }],
      },
    });
    expect(notes.join()).toContain('start Claude Code anew');
  });

  test('keeps what is there, comments and all, and is undone to the byte', async () => {
    save(OTHERS);
    const after = apply(await install())!;

    expect(after).toContain('  // mine\n  "model": "opus",\n');
    expect(after).toContain('"command": "say oh"');
    expect(after).toContain('"args": ["x", "hook", "claude-code"]');
    expect(after.split('holdfast.js')).toHaveLength(5);
    expect(apply(await uninstall())).toBe(OTHERS);
  });

  test('changes nothing the second time', async () => {
    apply(await install());
    expect((await install()).edits).toEqual([]);
  });

  test('replaces the entries of an older Holdfast where they are, and removes doubles', async () => {
    apply(await install({ script: '/old/holdfast/bin.js' }));
    const before = apply(await install({ script: '/old/holdfast/bin.js', veto: true }))!;
    const doubled = JSON.parse(before) as { hooks: Record<string, { hooks: object[] }[]> };
    const [group] = doubled.hooks['PostToolBatch']!;
    group!.hooks.push(...group!.hooks);
    doubled.hooks['PermissionDenied']!.push(group!);
    save(JSON.stringify(doubled, null, 2));

    const after = apply(await install())!;

    expect(after).not.toContain('/old/holdfast');
    expect(after).not.toContain('PreToolUse');
    expect(after).not.toContain('--veto');
    expect(after.split('holdfast.js')).toHaveLength(5);
    expect((await install()).edits).toEqual([]);
  });

  test('hears of calls before they run only where it may stop them', async () => {
    const after = apply(await install({ veto: true }))!;
    const { hooks } = JSON.parse(after) as {
      hooks: Record<string, { hooks: { args: string[] }[] }[]>;
    };

    expect(hooks['PreToolUse']![0]!.hooks[0]!.args.at(-1)).toBe('--veto');
  });

  test('goes to where the settings of a project, or of a user who moved them, are', async () => {
    const shared = await install({ scope: 'project' });
    expect(shared.edits[0]!.path).toBe(join(home, 'proj', '.claude', 'settings.json'));
    expect(shared.notes.join()).toContain('others who use them install too');
    const moved = await install({ env: { CLAUDE_CONFIG_DIR: join(home, 'elsewhere') } });
    expect(moved.edits[0]!.path).toBe(join(home, 'elsewhere', 'settings.json'));
  });

  test.for(['{ "hooks": ', '{ "hooks": [] }', '{ "hooks": { "PostToolBatch": {} } }', '[]'])(
    'refuses %s',
    async (text) => {
      save(text);
      const error: unknown = await install().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CannotInstallError);
      expect((error as Error).message).toContain(settings);
    },
  );
});

describe('uninstall', () => {
  test('takes out all that is ours, and leaves what is not', async () => {
    expect((await uninstall()).edits).toEqual([]);
    apply(await install({ veto: true }));
    expect(apply(await uninstall())).toBe('{}\n');
    save(OTHERS);
    expect((await uninstall()).edits).toEqual([]);
  });
});

describe('check', () => {
  /** Has a `claude` on the PATH that says its version. */
  function claudeSays(version: string): void {
    const path = join(home, 'bin', 'claude');
    save(`#!/bin/sh\necho "${version} (Claude Code)"\n`, path);
    chmodSync(path, 0o755);
  }

  async function problems(fields?: Partial<InstallContext>): Promise<readonly string[]> {
    const checks = await claudeCodeInstaller.check(contextOf(fields));
    return checks.filter(({ status }: HostCheck) => status !== 'ok').map(({ text }) => text);
  }

  test('has nothing to say when all is well', async () => {
    save('', join(home, 'holdfast.js'));
    claudeSays('2.1.325');
    apply(await install());

    expect(await problems()).toEqual([]);
  });

  test('tells of settings that are not there or cannot be read', async () => {
    claudeSays('2.1.325');
    expect(await problems()).toEqual([expect.stringContaining('is not there')]);
    save('{');
    expect(await problems()).toEqual([expect.stringContaining(settings)]);
  });

  test('tells of comments, with which Claude Code passes over the settings, as the install does', async () => {
    claudeSays('2.1.325');
    save('{ "model": "x" } // mine');
    const why = `Claude Code reads no file with comments, and so no hook in ${settings}`;
    const plan = await install();
    expect(plan.notes[0]).toBe(`${why}. Take them out.`);
    apply(plan);
    expect(await problems({ script: process.execPath })).toContain(why);
  });

  test('tells of hooks that are missing, doubled, off, or run what is not there', async () => {
    claudeSays('2.1.325');
    save('{ "disableAllHooks": true }');
    const text = (await problems()).join('\n');
    expect(text).toContain('PostToolBatch has no hook of ours');
    expect(text).toContain('disableAllHooks is true');
    rmSync(settings);
    const once = apply(await install())!;
    expect(await problems()).toHaveLength(4);
    expect((await problems()).join('\n')).toContain('holdfast.js, which is not there');
    save('', join(home, 'holdfast.js'));
    const doubled = JSON.parse(once) as { hooks: Record<string, object[]> };
    doubled.hooks['PostToolBatch']!.push(...doubled.hooks['PostToolBatch']!);
    save(JSON.stringify(doubled));
    expect(await problems()).toEqual([expect.stringContaining('2 hooks of ours instead of one')]);
  });

  test('tells of another Holdfast, and of a matcher that leaves tools out', async () => {
    for (const name of ['holdfast.js', 'older-holdfast.js']) save('', join(home, name));
    claudeSays('2.1.325');
    const after = apply(await install())!;
    save(after.replace('"*"', '"Bash"'));

    expect(await problems()).toEqual([expect.stringContaining('hears of some tools only: Bash')]);
    const others = await problems({ script: join(home, 'older-holdfast.js') });
    expect(others.filter((text) => text.includes('another Holdfast'))).toHaveLength(4);
  });

  test('tells of a Claude Code that is too old, or is nowhere', async () => {
    save('', join(home, 'holdfast.js'));
    apply(await install());
    expect(await problems()).toEqual([expect.stringContaining('2.1.139 or newer')]);
    claudeSays('2.1.14');
    expect(await problems()).toEqual([expect.stringContaining('2.1.14 is too old')]);
    claudeSays('2.1.139');
    expect(await problems()).toEqual([]);
  });
});
