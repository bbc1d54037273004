import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HOST_NAMES } from '../host-name.ts';
import type { HostName } from '../host-name.ts';
import type { InstallContext } from './agent-installer.ts';
import { CannotInstallError } from './agent-installer.ts';
import { installChange, uninstallChange } from './file-change.ts';
import { InstallRecords } from './install-records.ts';
import { loadInstaller } from './installers.ts';
import { makeChange } from './make-change.ts';

const SCOPES = ['user', 'project'] as const;
const CASES = HOST_NAMES.flatMap((name) => SCOPES.map((scope) => [name, scope] as const));

/** The hosts that read hooks from a file that users write too. */
const SHARED: readonly HostName[] = ['claude-code', 'codex', 'gemini'];
const SHARED_CASES = CASES.filter(([name]) => SHARED.includes(name));

async function place(
  name: HostName,
  scope: InstallContext['scope'],
): Promise<{
  readonly context: InstallContext;
  readonly files: readonly string[];
  readonly install: (script?: string) => Promise<readonly string[]>;
  readonly uninstall: () => Promise<readonly string[]>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-installers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = join(folder, 'a0');
  await mkdir(join(root, 'helpers'), { recursive: true });
  await mkdir(join(root, 'extensions', 'python'), { recursive: true });
  await writeFile(join(root, 'helpers', 'extension.py'), 'class Extension: pass\n');
  await mkdir(join(folder, 'home'));
  await mkdir(join(folder, 'project'));
  const context: InstallContext = {
    scope,
    project: join(folder, 'project'),
    home: join(folder, 'home'),
    env: {},
    root,
    node: process.execPath,
    script: join(folder, 'holdfast.js'),
    veto: false,
  };
  const installer = await loadInstaller(name);
  const records = new InstallRecords(join(folder, 'state'), { pause: () => Promise.resolve() });
  return {
    context,
    files: (await installer.install(context)).edits.map(({ path }) => path),
    install: async (script = context.script) => {
      const change = await installChange(installer, { ...context, script });
      await makeChange(change, records);
      return change.files.map(({ path }) => path);
    },
    uninstall: async () => {
      const change = await uninstallChange(installer, context, records);
      await makeChange(change, records);
      return change.files.map(({ path }) => path);
    },
  };
}

/** Every file under the folders of a host, with what is in it. */
async function everything({ home, project, root }: InstallContext): Promise<object> {
  const folders = await Promise.all(
    [home, project, root].map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return Promise.all(
        entries.map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          return [path, entry.isFile() ? await readFile(path, 'utf8') : 'a folder'] as const;
        }),
      );
    }),
  );
  return Object.fromEntries(folders.flat());
}

/** As nobody but a person writes it. */
const ODD = '{ \r\n\t"description" : "x",\r\n\t"hooks": { }\r\n\n}';

/** The same where the host reads comments and such: Codex does not. */
const ODDER = `\uFEFF${ODD.replace('"x",', '"x", // mine').replace('{ }', '{ },')}`;

describe.each(CASES)('%s for the %s', (name, scope) => {
  test('is installed once, and gone without a trace', async () => {
    const { context, files, install, uninstall } = await place(name, scope);
    const before = await everything(context);

    expect(files.length).toBeGreaterThan(0);
    expect(await install()).toEqual(files);
    const installed = await everything(context);
    expect(await install()).toEqual([]);
    expect(await everything(context)).toEqual(installed);

    expect((await uninstall()).toSorted()).toEqual(files.toSorted());
    expect(await everything(context)).toEqual(before);
    expect(await uninstall()).toEqual([]);
  });

  test('is updated when Holdfast has moved, and gone all the same', async () => {
    const { context, install, uninstall } = await place(name, scope);
    const before = await everything(context);
    await install();
    const moved = join(dirname(context.script), 'moved', 'holdfast.js');
    expect((await install(moved)).length).toBeGreaterThan(0);

    expect(JSON.stringify(await everything(context))).toContain(join('moved', 'holdfast.js'));
    expect(JSON.stringify(await everything(context))).not.toContain(JSON.stringify(context.script));
    await uninstall();
    expect(await everything(context)).toEqual(before);
  });

  test('is refused where a folder stands in the place of a file', async () => {
    const { files, install } = await place(name, scope);
    const [file = ''] = files;
    await mkdir(file, { recursive: true });

    await expect(install()).rejects.toThrow(CannotInstallError);
    await expect(install()).rejects.toThrow(file);
    expect(await readdir(file)).toEqual([]);
  });

  test('has no file of the other scope touched', async () => {
    const { context, files } = await place(name, scope);
    if (name === 'agent-zero') return;
    const folder = scope === 'user' ? context.home : context.project;
    expect(files.filter((path) => !path.startsWith(folder))).toEqual([]);
  });
});

describe.each(SHARED_CASES)('the settings of %s for the %s', (name, scope) => {
  const originals = [ODD, '{}', '', '{"hooks":{}}\n', ...(name === 'codex' ? [] : [ODDER])];
  test.each(originals)('come back to the byte: %j', async (original) => {
    const { files, install, uninstall } = await place(name, scope);
    const [file = ''] = files;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, original);

    expect(await install()).toEqual([file]);
    expect(await readFile(file, 'utf8')).not.toBe(original);
    expect(await install()).toEqual([]);
    expect(await uninstall()).toEqual([file]);
    expect(await readFile(file, 'utf8')).toBe(original);
    expect(await readdir(dirname(file))).toHaveLength(1);
  });

  test('keep what the user put there since, and lose all that is ours', async () => {
    const { context, files, install, uninstall } = await place(name, scope);
    const [file = ''] = files;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{\n  "description": "x"\n}\n');
    await install();
    const installed = await readFile(file, 'utf8');
    await writeFile(file, installed.replace('"x"', '"new"'));

    await uninstall();
    expect(await readFile(file, 'utf8')).toBe('{\n  "description": "new"\n}\n');
    expect(JSON.stringify(await everything(context))).not.toMatch(/holdfast\.js|backup/);
  });

  test('stay where they were there before, though nothing is in them', async () => {
    const { files, install, uninstall } = await place(name, scope);
    const [file = ''] = files;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{}');
    await install();
    await writeFile(file, `${await readFile(file, 'utf8')}\n`);

    await uninstall();
    expect(await readFile(file, 'utf8')).toBe('{}\n');
  });

  test('go where they were not there before, though nobody knows it any more', async () => {
    const { context, install, uninstall } = await place(name, scope);
    const before = await everything(context);
    await install();
    await rm(join(dirname(context.home), 'state'), { recursive: true });

    await uninstall();
    const after = await everything(context);
    const filesOf = (found: object): unknown =>
      Object.values(found).filter((text) => text !== 'a folder');
    expect(filesOf(after)).toEqual(filesOf(before));
  });

  test.each(['{', '[]', '{"hooks": 1}', '{"a": 1, "a": 2}'])(
    'that cannot be edited are refused and stay: %j',
    async (broken) => {
      const { files, install } = await place(name, scope);
      const [file = ''] = files;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, broken);

      await expect(install()).rejects.toThrow(CannotInstallError);
      await expect(install()).rejects.toThrow(file);
      expect(await readFile(file, 'utf8')).toBe(broken);
      expect(await readdir(dirname(file))).toHaveLength(1);
    },
  );
});

describe.each(CASES.filter(([name]) => !SHARED.includes(name)))('%s for the %s', (name, scope) => {
  test('leaves a file of somebody else alone', async () => {
    const { files, install, uninstall } = await place(name, scope);
    const file = files.at(-1) ?? '';
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'theirs');

    await expect(install()).rejects.toThrow(file);
    expect(await uninstall()).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('theirs');
    expect(await readdir(dirname(file))).toHaveLength(1);
  });
});
