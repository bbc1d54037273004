import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AdvisorSettings } from '../../config/advisor-schema.ts';
import type { ReadAdvisorFile } from '../../config/read-advisor-file.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import { readPrivateFile, replacePrivateFile, writeText } from './private-file.ts';
import { openPrivateFolder } from './private-folder.ts';
import { configFile } from './state-folder.ts';

/** The file with the settings of hooks, and what it says. */
export interface HookSettings {
  /** Undefined where there is none. */
  readonly file: string | undefined;
  readonly read: ReadAdvisorFile;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NO_SETTINGS: HookSettings = { file: undefined, read: { ok: true, settings: {} } };

/** What is larger was not written by us. */
const MOST_BYTES = 1024 * 1024;

/**
 * The advisor's settings in the user's `holdfast.yaml`. To read YAML and to check it takes longer than all the rest
 * of a hook: what the file says is kept in `folder` as JSON, and read again when the file has changed.
 *
 * @throws where `HOLDFAST_CONFIG` names a file that cannot be read
 */
export async function readHookSettings(folder: string, env: Environment): Promise<HookSettings> {
  const isNamed = (env['HOLDFAST_CONFIG'] ?? '') !== '';
  const file = configFile(env, process.platform);
  const about = isNamed ? statSync(file) : statSync(file, { throwIfNoEntry: false });
  if (about === undefined) return NO_SETTINGS;
  const { mtimeMs, ctimeMs, size, ino } = about;
  const of = [file, mtimeMs, ctimeMs, size, ino].join(' ');
  const path = join(folder, 'settings');
  const known = readKnown(path, of);
  if (known !== undefined) return { file, read: known };
  const { readAdvisorFile } = await import('../../config/read-advisor-file.ts');
  const read = readAdvisorFile(readFileSync(file, 'utf8'), file, env);
  openPrivateFolder(folder);
  const draft = `${path}.${process.pid}.new`;
  replacePrivateFile(path, JSON.stringify({ version: 1, of, read }), { draft, write: writeText });
  return { file, read };
}

function readKnown(path: string, of: string): ReadAdvisorFile | undefined {
  try {
    const known: unknown = JSON.parse(readPrivateFile(path, MOST_BYTES) ?? '');
    const isCurrent = isObject(known) && known['version'] === 1 && known['of'] === of;
    // The advisor checks its options itself.
    return isCurrent ? (known['read'] as unknown as ReadAdvisorFile) : undefined;
  } catch {
    return undefined;
  }
}

/** What the advisor of a hook is made with: its own defaults where the file cannot be used. */
export async function advisorSettings(
  folder: string,
  env: Environment,
  onProblem: (problem: unknown) => void,
): Promise<AdvisorSettings> {
  try {
    const { read } = await readHookSettings(folder, env);
    if (read.ok) return read.settings;
    onProblem(read.problem);
  } catch (error) {
    onProblem(error);
  }
  return {};
}
