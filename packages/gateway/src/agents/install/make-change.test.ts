import { spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { LockMeans } from '../hook/hook-lock.ts';
import type { InstallContext } from './agent-installer.ts';
import { installChange, uninstallChange } from './file-change.ts';
import { InstallRecords } from './install-records.ts';
import { makeChange } from './make-change.ts';
import { pluginOf, settingsOf, standInInstaller } from './stand-in-installer.case.ts';

interface Place {
  readonly context: InstallContext;
  readonly settings: string;
  readonly records: InstallRecords;
  readonly install: (script?: string) => Promise<readonly string[]>;
  readonly uninstall: () => Promise<readonly string[]>;
}

/** A home in which the agent has these settings. */
async function home(
  settings?: string | Uint8Array,
  means: Partial<LockMeans> = {},
): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-install-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const pause = (ms: number): Promise<void> => setTimeout(ms);
  const records = new InstallRecords(join(folder, 'state', 'installs'), { pause, ...means });
  const context: InstallContext = {
    scope: 'user',
    project: folder,
    home: folder,
    env: {},
    root: '/a0',
    node: 'node',
    script: 'one.js',
    veto: false,
  };
  if (settings !== undefined) {
    await mkdir(dirname(settingsOf(context)), { recursive: true });
    await writeFile(settingsOf(context), settings);
  }
  return {
    context,
    settings: settingsOf(context),
    records,
    install: async (script = 'one.js') => {
      const change = await installChange(standInInstaller, { ...context, script });
      await makeChange(change, records);
      return change.files.map(({ kind }) => kind);
    },
    uninstall: async () => {
      const change = await uninstallChange(standInInstaller, context, records);
      await makeChange(change, records);
      return change.files.map(({ kind }) => kind);
    },
  };
}

/** All files under a folder, but those of records. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => !name.startsWith('state')).sort();
}

// An edit alone could not tell how an empty object was written.
const ODD = '\uFEFF{\r\n\t"hooks": [\n\n ], // mine\r\n}';

test.each([ODD, '{}', '', '{"a":1}', '{ }\n'])(
  'install and uninstall give back every byte of %j',
  async (original) => {
    const { context, settings, install, uninstall } = await home(original);
    await chmod(settings, 0o640);

    expect(await install()).toEqual(['updated', 'installed']);
    expect(await readFile(settings, 'utf8')).toContain('"run one.js"');
    expect((await stat(settings)).mode & 0o777).toBe(0o640);
    expect(await readFile(`${settings}.holdfast-backup`, 'utf8')).toBe(original);
    expect((await stat(`${settings}.holdfast-backup`)).mode & 0o777).toBe(0o640);

    expect(await uninstall()).toEqual(['restored', 'removed']);
    expect(await readFile(settings, 'utf8')).toBe(original);
    expect((await stat(settings)).mode & 0o777).toBe(0o640);
    expect(await filesIn(context.home)).toEqual(['.agent', join('.agent', 'settings.json')]);
    expect(await readdir(join(context.home, 'state', 'installs'))).toEqual([]);
  },
);

test('what was not there is gone again, with the folders that were made', async () => {
  const { context, install, uninstall } = await home();

  expect(await install()).toEqual(['installed', 'installed']);
  expect((await filesIn(context.home)).filter((name) => name.includes('backup'))).toEqual([]);
  expect(await uninstall()).toEqual(['removed', 'removed']);
  expect(await filesIn(context.home)).toEqual([]);
});

test('a second install changes nothing', async () => {
  const { settings, install } = await home('{"a": 1}');
  await install();
  const { mtimeMs, ino } = await stat(settings);

  expect(await install()).toEqual([]);
  expect(await stat(settings)).toMatchObject({ mtimeMs, ino });
});

test('an update keeps the first backup, and is undone to it', async () => {
  const { settings, install, uninstall } = await home('{"a": 1}');
  await install();
  expect(await install('two.js')).toEqual(['updated']);
  expect(await readFile(settings, 'utf8')).toBe('{"a": 1, "hooks": ["run two.js"]}');
  expect(await readFile(`${settings}.holdfast-backup`, 'utf8')).toBe('{"a": 1}');

  await uninstall();
  expect(await readFile(settings, 'utf8')).toBe('{"a": 1}');
});

test.each([
  ['after the install', false],
  ['between two installs', true],
])('what the user changes %s stays', async (_, isBetween) => {
  const { settings, install, uninstall } = await home('{"a": 1}');
  await install();
  await writeFile(settings, (await readFile(settings, 'utf8')).replace('"a": 1', '"a": 2'));
  if (isBetween) await install('two.js');

  expect(await uninstall()).toEqual(['cleaned', 'removed']);
  expect(await readFile(settings, 'utf8')).toBe('{"a": 2}');
  expect(await filesIn(dirname(settings))).toEqual(['settings.json']);
});

test('the backup of an install that was undone by hand is no longer held to be the original', async () => {
  const { settings, install, uninstall } = await home('{"a": 1}');
  await install();
  await writeFile(settings, '{"b": 2}');
  await install();

  expect(await readFile(`${settings}.holdfast-backup`, 'utf8')).toBe('{"b": 2}');
  await uninstall();
  expect(await readFile(settings, 'utf8')).toBe('{"b": 2}');
});

test('a link to the settings stays a link', async () => {
  const { context, settings, install, uninstall } = await home('{}');
  const real = join(context.home, 'dotfiles.json');
  await rm(settings);
  await writeFile(real, '{"a": 1}');
  await symlink(real, settings);

  await install();
  expect((await lstat(settings)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, 'utf8')).toContain('run one.js');
  await uninstall();
  expect((await lstat(settings)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, 'utf8')).toBe('{"a": 1}');
});

test('what was made in a folder that is a link is found again', async () => {
  const { context, uninstall, install } = await home();
  await mkdir(join(context.home, 'elsewhere'));
  await symlink(join(context.home, 'elsewhere'), join(context.home, '.agent'));

  await install();
  expect(await uninstall()).toEqual(['removed', 'removed']);
  expect(await filesIn(join(context.home, 'elsewhere'))).toEqual([]);
});

test('a file that was changed since it was looked at is refused, and nothing is written', async () => {
  const { context, settings, records } = await home('{"a": 1}');
  const change = await installChange(standInInstaller, context);
  await writeFile(settings, '{"a": 2}');

  await expect(makeChange(change, records)).rejects.toThrow(
    `${settings}: it was changed while this ran, and was left as it is; run this again`,
  );
  expect(await readFile(settings, 'utf8')).toBe('{"a": 2}');
  expect(await filesIn(dirname(settings))).toEqual(['settings.json']);
});

test('where one file cannot be written, those before it are given back', async () => {
  const { context, settings, install } = await home('{"a": 1}');
  await writeFile(dirname(pluginOf(context)), 'a file in the place of the folder');

  await expect(install()).rejects.toThrow(`${dirname(pluginOf(context))}: cannot be made: `);
  expect(await readFile(settings, 'utf8')).toBe('{"a": 1}');
});

test.each([
  ['no JSON', '{"a": ', /settings\.json:1:7: not JSON: expected a value, got the end of the file$/],
  ['no UTF-8', Buffer.from([0x7b, 0x7d, 0x2f, 0x2f, 0xff]), /: expected UTF-8, got bytes that are/],
])('a file that is %s is refused and stays as it is', async (_, bytes, message) => {
  const { settings, install } = await home(bytes);

  await expect(install()).rejects.toThrow(message);
  expect(await readFile(settings)).toEqual(Buffer.from(bytes));
  expect(await filesIn(dirname(settings))).toEqual(['settings.json']);
});

test('a folder, and a link to nothing, are refused', async () => {
  const { context, settings, install } = await home('{}');
  await rm(settings);
  await mkdir(settings);
  await expect(install()).rejects.toThrow(`${settings}: expected a file, got something else`);
  await rm(settings, { recursive: true });
  await symlink(join(context.home, 'nothing'), settings);
  await expect(install()).rejects.toThrow(`${settings}: it is a link to nothing`);
});

test('many at once do it once', async () => {
  const { settings, install, uninstall } = await home('{"a": 1}');

  await Promise.all(Array.from({ length: 12 }, () => install()));
  expect(await readFile(settings, 'utf8')).toBe('{"a": 1, "hooks": ["run one.js"]}');
  expect(await filesIn(dirname(settings))).toEqual([
    'plugins',
    join('plugins', 'ours.js'),
    'settings.json',
    'settings.json.holdfast-backup',
  ]);
  await uninstall();
  expect(await readFile(settings, 'utf8')).toBe('{"a": 1}');
});

test('while another one runs it waits, and gives up with what to do', async () => {
  let now = Date.now();
  const { context, settings, install } = await home('{}', {
    now: () => now,
    pause: async (ms) => void (now += ms),
  });
  const folder = join(context.home, 'state', 'installs');
  const lock = join(folder, 'lock');
  await mkdir(folder, { recursive: true });
  await writeFile(lock, `${process.pid} ${now} ${hostname()} x`);

  await expect(install()).rejects.toThrow(`is running; if none is, remove ${lock}`);
  expect(await readFile(settings, 'utf8')).toBe('{}');
});

test('one that was killed stops nobody', async () => {
  const { context, install } = await home('{}');
  const folder = join(context.home, 'state', 'installs');
  await mkdir(folder, { recursive: true });
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  await writeFile(join(folder, 'lock'), `${pid} ${Date.now()} ${hostname()} x`);

  expect(await install()).toEqual(['updated', 'installed']);
});

test('without a place for records, our entries can be taken out all the same', async () => {
  const { context, settings, install, uninstall } = await home('{"a": 1}');
  await writeFile(join(context.home, 'state'), 'a file in the place of the folder');

  await install();
  expect(await uninstall()).toEqual(['cleaned', 'removed']);
  expect(await readFile(settings, 'utf8')).toBe('{"a": 1}');
});
