import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { InstallContext } from '../install/agent-installer.ts';
import { geminiHook, hookCommand } from './gemini-hooks.ts';
import { geminiInstaller } from './gemini-installer.ts';

let folder: string;
let context: InstallContext;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-gemini-'));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  context = {
    scope: 'user',
    project,
    home,
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    root: '/a0',
    node: process.execPath,
    script: import.meta.filename,
    veto: false,
  };
  path = join(home, '.gemini', 'settings.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(text: string, file = path): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function install(given = context): Promise<string> {
  const { edits } = await geminiInstaller.install(given);
  expect(edits).toHaveLength(1);
  write(edits[0]!.after!, edits[0]!.path);
  return edits[0]!.after!;
}

const checks = async (): Promise<string[]> =>
  (await geminiInstaller.check(context)).flatMap(({ status, text }) =>
    status === 'ok' ? [] : [`${status}: ${text}`],
  );

describe('an install', () => {
  test('makes a file with a hook for each event', async () => {
    const plan = await geminiInstaller.install(context);
    const [edit] = plan.edits;
    const hook = (name: string) => ({ ...geminiHook(name, context), timeout: 5000 });

    expect(edit).toMatchObject({ path, before: undefined });
    expect(JSON.parse(edit!.after!)).toEqual({
      hooks: {
        BeforeTool: [{ matcher: '*', hooks: [hook('holdfast-before')] }],
        AfterTool: [{ matcher: '*', hooks: [hook('holdfast-after')] }],
        BeforeAgent: [{ hooks: [hook('holdfast-prompt')] }],
      },
    });
    expect(plan.notes.join()).toContain('/permissions');
  });

  test('keeps what is there, byte for byte', async () => {
    const before =
      '{\n  // mine\n  "hooks": {\n    "AfterTool": [ {"hooks":[{"type":"command","command":"x"}]} ],\n  },\n  "a" : 1}\n';
    write(before);
    const after = await install();

    const parts = [
      '{\n  // mine\n  "hooks": {\n',
      '[ {"hooks":[{"type":"command","command":"x"}]}',
      '"a" : 1}\n',
    ];
    for (const part of parts) expect(after).toContain(part);
    expect(after.match(/"holdfast-/g)).toHaveLength(3);
  });

  test('changes nothing when it is done again', async () => {
    await install();
    expect((await geminiInstaller.install(context)).edits).toEqual([]);
  });

  test('brings an older one up to date, where it is, and leaves one of several', async () => {
    const old = { ...geminiHook('holdfast-after', context), command: 'old', timeout: 5 };
    const other = { type: 'command', command: 'x' };
    const hooks = {
      AfterTool: [{ matcher: 'read_.*', hooks: [other, old, old] }, { hooks: [old] }],
    };
    write(JSON.stringify({ hooks }));
    const after = JSON.parse(await install()) as { hooks: { AfterTool: unknown } };

    expect(after.hooks.AfterTool).toEqual([
      { matcher: 'read_.*', hooks: [other, geminiHook('holdfast-after', context)] },
    ]);
    expect(await geminiInstaller.install(context)).toMatchObject({ edits: [] });
  });

  test('goes where the user has moved the settings, and into a project', async () => {
    const env = { GEMINI_CLI_HOME: join(folder, 'moved') };
    const [moved] = (await geminiInstaller.install({ ...context, env })).edits;
    expect(moved!.path).toBe(join(folder, 'moved', '.gemini', 'settings.json'));

    const plan = await geminiInstaller.install({ ...context, scope: 'project' });
    expect(plan.edits[0]!.path).toBe(join(context.project, '.gemini', 'settings.json'));
    expect(plan.notes.join()).toContain('paths of this machine');
  });

  test.for(['{"hooks": [', '[]', '{"hooks": {"AfterTool": {}}}', '{"hooks": 7}'])(
    'refuses %s',
    async (text) => {
      write(text);
      await expect(geminiInstaller.install(context)).rejects.toThrow(CannotInstallError);
      await expect(geminiInstaller.install(context)).rejects.toThrow(path);
    },
  );

  test('says when hooks are off', async () => {
    write('{"hooksConfig": {"enabled": false}}');
    const { notes } = await geminiInstaller.install(context);
    expect(notes.join()).toContain('hooksConfig.enabled');
  });

  test('says when Gemini CLI cannot read what is in the file, as the check does', async () => {
    write('{\n  // mine\n  "ui": {},\n}\n');
    const { notes } = await geminiInstaller.install(context);
    const why = `Gemini CLI reads no file with commas behind the last of a list, and so no hook in ${path}`;
    expect(notes[0]).toBe(`${why}. Take them out.`);
    await install();
    expect(await checks()).toEqual([`problem: ${why}`]);
  });
});

describe('an uninstall', () => {
  test.for([
    '{"general":{"vimMode":true}}\n',
    '{\n\t"hooks": {\n\t\t"AfterTool": [\n\t\t\t{ "hooks": [{ "type": "command", "command": "x" }] }\n\t\t]\n\t}\n}\n',
  ])('leaves the file as it was before the install: %j', async (before) => {
    write(before);
    await install();
    const { edits } = await geminiInstaller.uninstall(context);
    expect(edits[0]!.after).toBe(before);
  });

  test('takes every one of ours, and no other', async () => {
    const own = geminiHook('holdfast-before', context);
    const other = { type: 'command', command: 'x' };
    const BeforeTool = [
      { hooks: [own, own] },
      { matcher: 'a', hooks: [own, other] },
      { hooks: [own] },
    ];
    write(JSON.stringify({ hooks: { BeforeTool } }));
    const { edits } = await geminiInstaller.uninstall(context);
    expect(JSON.parse(edits[0]!.after!)).toEqual({
      hooks: { BeforeTool: [{ matcher: 'a', hooks: [other] }] },
    });
  });

  test('has nothing to do where nothing is', async () => {
    expect(await geminiInstaller.uninstall(context)).toEqual({ edits: [], notes: [] });
    write('{}');
    expect(await geminiInstaller.uninstall(context)).toEqual({ edits: [], notes: [] });
  });
});

describe('a check', () => {
  test.for([false, true])('is content after an install that may stop calls: %s', async (veto) => {
    await install({ ...context, veto });
    expect(await checks()).toEqual([]);
  });

  test('finds that nothing is installed', async () => {
    expect((await checks()).join()).toMatch(/^problem: .*is not there/);
    write('{}');
    expect(await checks()).toHaveLength(3);
  });

  const broken: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    [
      'milliseconds that were meant as seconds',
      (text) => text.replace('5000', '5'),
      /^problem: .* 5 milliseconds; /,
    ],
    [
      'an end that may deny all',
      (text) => text.replace(' || true', ''),
      /^problem: .*denies every call/,
    ],
    [
      'another path',
      (text) => text.replace(process.execPath, '/old/node'),
      /^warning: .*another Holdfast/,
    ],
    [
      'fewer tools',
      (text) => text.replace('"*"', '"read_.*"'),
      /^warning: .*some tools only: read_\.\*/,
    ],
    ['JSON that is none', (text) => text.slice(0, -4), /^problem: .*settings\.json:\d+:\d+/],
    [
      'hooks that are off',
      (text) => text.replace('{', '{"hooksConfig":{"enabled":false},'),
      /^problem: hooks are off/,
    ],
    [
      'a hook that is off',
      (text) => text.replace('{', '{"hooksConfig":{"disabled":["holdfast-after"]},'),
      /^problem: holdfast-after is off/,
    ],
    [
      'one that was copied from Claude Code',
      (text) =>
        text.replace(
          '"hooks":',
          `"hooks":{"BeforeTool":[{"hooks":[{"command":${JSON.stringify(process.execPath)},"type":"command","timeout":5}]}]},"was":`,
        ),
      /installed for another agent/,
    ],
  ];
  test.skipIf(process.platform === 'win32').for(broken)('finds %s', async ([, change, found]) => {
    write(change(await install()));
    expect((await checks()).join('\n')).toMatch(new RegExp(found.source, 'm'));
  });

  test('finds two hooks where one should be', async () => {
    const text = await install();
    const settings = JSON.parse(text) as { hooks: { AfterTool: unknown[] } };
    settings.hooks.AfterTool.push(settings.hooks.AfterTool[0]);
    write(JSON.stringify(settings));
    expect(await checks()).toEqual([expect.stringContaining('AfterTool has 2 hooks')]);
  });

  test('finds a script that is gone', async () => {
    context = { ...context, script: join(folder, 'gone.js') };
    await install();
    expect(await checks()).toEqual([
      expect.stringContaining('gone.js, which the hook runs, is not there'),
    ]);
  });

  test('tells of a folder that is not trusted', async () => {
    context = { ...context, env: {} };
    await install();
    const untrusted = [expect.stringContaining(`does not trust ${context.project}`)];
    expect(await checks()).toEqual(untrusted);

    const trust = (rules: object) => {
      write(JSON.stringify(rules), join(dirname(path), 'trustedFolders.json'));
    };
    trust({ [folder]: 'TRUST_FOLDER' });
    expect(await checks()).toEqual([]);
    trust({ [join(folder, 'home')]: 'TRUST_PARENT' });
    expect(await checks()).toEqual([]);
    trust({ [folder]: 'TRUST_FOLDER', [context.project]: 'DO_NOT_TRUST' });
    expect(await checks()).toEqual(untrusted);
    trust({ [join(folder, 'proj')]: 'TRUST_FOLDER' });
    expect(await checks()).toEqual(untrusted);
  });
});

describe('the command', () => {
  test('takes any path, and ends well, in bash and in PowerShell', () => {
    const given = { ...context, node: "/o'n/node", script: '/my path/holdfast.js', veto: true };
    expect(hookCommand(given, 'linux')).toBe(
      String.raw`'/o'\''n/node' '/my path/holdfast.js' hook gemini --veto || true`,
    );
    expect(hookCommand(given, 'win32')).toBe(
      "& '/o''n/node' '/my path/holdfast.js' hook gemini --veto; exit 0",
    );
  });

  test('is refused where Gemini CLI would read a variable in it', () => {
    expect(() => hookCommand({ ...context, script: '/a/$HOME/b' })).toThrow(CannotInstallError);
  });
});
