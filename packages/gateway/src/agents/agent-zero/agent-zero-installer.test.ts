import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import { carryOut } from '../install/carry-out.case.ts';
import { agentZeroInstaller } from './agent-zero-installer.ts';

const CALLS = 'call_extensions("tool_execute_before")\ncall_extensions("tool_execute_after")\n';

const LEGACY = {
  'agent.py': CALLS,
  'python/helpers/extension.py': 'class Extension: ...\n',
  'python/extensions/tool_execute_after/_10_mask_secrets.py': '# theirs\n',
};

const CURRENT = {
  'agent.py': '',
  'helpers/extension.py': 'class Extension: ...\n',
  'extensions/python/tool_execute_before/_10_unmask_secrets.py': '# theirs\n',
};

const FILES = {
  legacy: [
    'python/extensions/tool_execute_after/_30_tool_fallback_logger.py',
    'python/extensions/tool_execute_before/_30_tool_fallback_advisor.py',
  ],
  current: [
    'usr/plugins/holdfast/extensions/python/_functions/agent/Agent/handle_exception/end/_30_tool_fallback_exceptions.py',
    'usr/plugins/holdfast/extensions/python/tool_execute_after/_30_tool_fallback_logger.py',
    'usr/plugins/holdfast/extensions/python/tool_execute_before/_30_tool_fallback_advisor.py',
    'usr/plugins/holdfast/plugin.yaml',
  ],
};

/** An agent-zero that has only these files. */
function rootWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-a0-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function contextFor(root: string, change: Partial<InstallContext> = {}): InstallContext {
  return {
    scope: 'user',
    project: root,
    home: root,
    env: {},
    root,
    node: process.execPath,
    script: import.meta.filename,
    veto: false,
    ...change,
  };
}

async function installIn(context: InstallContext): Promise<InstallPlan> {
  const plan = await agentZeroInstaller.install(context);
  carryOut(plan);
  return plan;
}

const pathsIn = (root: string, { edits }: InstallPlan): readonly string[] =>
  edits.map(({ path }) => relative(root, path)).sort();

describe.each([
  ['legacy', LEGACY],
  ['current', CURRENT],
] as const)('an agent-zero with the %s layout', (layout, files) => {
  test('gets exactly these files', async () => {
    const root = rootWith(files);
    const plan = await agentZeroInstaller.install(contextFor(root));

    expect(pathsIn(root, plan)).toEqual(FILES[layout]);
    expect(plan.edits.every(({ before }) => before === undefined)).toBe(true);
    expect(plan.notes).toEqual([expect.stringContaining('Restart')]);
  });

  test('has them, and nothing is left to do', async () => {
    const context = contextFor(rootWith(files));
    await installIn(context);

    expect(await agentZeroInstaller.install(context)).toEqual({ edits: [], notes: [] });
    const checks = await agentZeroInstaller.check(context);
    expect(checks.map(({ status }) => status)).toEqual(['ok', ...FILES[layout].map(() => 'ok')]);
  });

  test('gets Python that imports what is there, and the command with its absolute paths', async () => {
    const node = '/opt/"odd" $& node';
    const { edits } = await agentZeroInstaller.install(
      contextFor(rootWith(files), { node, script: '/opt/h.js', veto: true }),
    );
    const scripts = edits.filter(({ path }) => path.endsWith('.py'));
    const module = layout === 'legacy' ? 'python.helpers' : 'helpers';

    for (const { after } of scripts) {
      expect(after).toContain(`from ${module}.extension import Extension\n`);
      expect(after).toContain(
        'COMMAND = ["/opt/\\"odd\\" $& node","/opt/h.js","hook","agent-zero","--veto"]\n',
      );
      expect(after).not.toContain('holdfast_hook');
    }
  });

  test('has our files updated where they are of another version', async () => {
    const context = contextFor(rootWith(files));
    await installIn(context);
    const moved = { ...context, script: import.meta.dirname };
    const plan = await installIn(moved);

    expect(plan.edits).toHaveLength(FILES[layout].filter((path) => path.endsWith('.py')).length);
    expect(await agentZeroInstaller.install(moved)).toMatchObject({ edits: [] });
  });

  test('loses exactly ours again', async () => {
    const root = rootWith(files);
    await installIn(contextFor(root));
    const plan = await agentZeroInstaller.uninstall(contextFor(root));
    carryOut(plan);

    expect(pathsIn(root, plan)).toEqual(FILES[layout]);
    expect(plan.edits.every(({ after }) => after === undefined)).toBe(true);
    // Each folder of ours is named, and after all that are in it.
    const folders = plan.folders ?? [];
    for (const { path } of plan.edits) expect(folders).toContain(dirname(path));
    for (const [index, folder] of folders.entries()) {
      expect(folders.slice(0, index).filter((other) => folder.startsWith(`${other}/`))).toEqual([]);
    }
    for (const [path, text] of Object.entries(files)) {
      expect(readFileSync(join(root, path), 'utf8')).toBe(text);
    }
    expect(await agentZeroInstaller.uninstall(contextFor(root))).toEqual({ edits: [], notes: [] });
  });

  test('keeps a file of somebody else that has the name of ours', async () => {
    const [path = ''] = FILES[layout];
    const root = rootWith({ ...files, [path]: '# mine\n' });

    await expect(agentZeroInstaller.install(contextFor(root))).rejects.toThrow(
      new CannotInstallError(
        `${join(root, path)} is there and is not ours; move it away or remove it, then install again`,
      ),
    );
    expect(await agentZeroInstaller.uninstall(contextFor(root))).toEqual({ edits: [], notes: [] });
  });

  test('is told to be broken where the command is gone, a file is missing, or was changed', async () => {
    const root = rootWith(files);
    await installIn(contextFor(root, { script: join(root, 'gone.js') }));
    const gone = await agentZeroInstaller.check(contextFor(root));
    expect(gone.filter(({ text }) => text.includes('gone.js, which is gone')).length).toBe(
      FILES[layout].filter((path) => path.endsWith('.py')).length,
    );

    await installIn(contextFor(root));
    const [first = '', second = ''] = FILES[layout];
    rmSync(join(root, first));
    writeFileSync(join(root, second), `${readFileSync(join(root, second), 'utf8')}# changed\n`);
    const checks = await agentZeroInstaller.check(contextFor(root));
    expect(checks).toContainEqual({
      status: 'problem',
      text: `${join(root, first)} is missing; \`holdfast install agent-zero\` puts it there`,
    });
    expect(checks.filter(({ status }) => status === 'warning')).toHaveLength(1);
  });
});

test('files of both layouts are removed after agent-zero was updated', async () => {
  const root = rootWith(LEGACY);
  await installIn(contextFor(root));
  for (const [path, text] of Object.entries(CURRENT)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await installIn(contextFor(root));

  const plan = await agentZeroInstaller.uninstall(contextFor(root));
  expect(pathsIn(root, plan)).toEqual([...FILES.legacy, ...FILES.current].sort());
});

test('an agent-zero that is too old gets a warning', async () => {
  const root = rootWith({ ...LEGACY, 'agent.py': 'class Agent: ...\n' });
  const { edits, notes } = await agentZeroInstaller.install(contextFor(root));

  expect(edits).toHaveLength(2);
  expect(notes).toContainEqual(expect.stringContaining('too old'));
  expect(await agentZeroInstaller.check(contextFor(root))).toContainEqual({
    status: 'warning',
    text: expect.stringContaining('too old') as string,
  });
});

test.each(['install', 'uninstall'] as const)(
  '%s where there is no agent-zero says what was looked for',
  async (what) => {
    const root = rootWith({ 'README.md': '' });

    await expect(agentZeroInstaller[what](contextFor(root))).rejects.toThrow(
      `no agent-zero in ${root}: looked for helpers/extension.py with extensions/python (as it is now), and for ` +
        'python/helpers/extension.py with python/extensions (as it was); --root says where it is',
    );
    expect(await agentZeroInstaller.check(contextFor(root))).toMatchObject([{ status: 'problem' }]);
  },
);

test('the Python sources are in the published package', () => {
  const folder = join(import.meta.dirname, '..', '..', '..');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };

  // What an install reads, and so what the tests above have read, is in this folder.
  expect(manifest.files).toContain('python');
  expect(existsSync(join(folder, 'python', 'agent-zero', 'holdfast_hook.py'))).toBe(true);
});
