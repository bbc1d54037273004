import { readFile } from 'node:fs/promises';
import { readVersion } from '../../cli/version.ts';
import type { InstallContext } from '../install/agent-installer.ts';
import type { AgentZeroLayout, PlacedFile } from './agent-zero-layout.ts';

/** What every file of ours begins with: by it we know it again. */
const MARK = '# Installed by Holdfast';

/** From the source as from the build three folders up. */
const SOURCES = new URL('../../../python/agent-zero/', import.meta.url);

/** Whether a file is one that we installed. */
export function isOurs(text: string): boolean {
  return text.startsWith(MARK);
}

/** The text that a file of ours is to have. */
export async function writeSource(
  { source }: PlacedFile,
  layout: AgentZeroLayout['name'],
  { node, script, veto }: Pick<InstallContext, 'node' | 'script' | 'veto'>,
): Promise<string> {
  const head = `${MARK} with \`holdfast install agent-zero\`: changes are lost when that is run again.\n`;
  if (source === 'plugin.yaml') {
    return head + (await read(source)).replace(/^version: .*$/m, `version: ${readVersion()}`);
  }

  const [shared, own] = await Promise.all([read('holdfast_hook.py'), read(`${source}.py`)]);
  const command = JSON.stringify([node, script, 'hook', 'agent-zero', ...(veto ? ['--veto'] : [])]);
  const whole = own
    .replace('from holdfast_hook import *\n', () => shared)
    .replace('\nCOMMAND = []\n', () => `\nCOMMAND = ${command}\n`);
  // It has not always been at the top.
  const placed =
    layout === 'legacy' ? whole.replaceAll('from helpers.', 'from python.helpers.') : whole;
  return head + placed;
}

/** The command that an installed file runs; undefined where it has none. */
export function readCommand(text: string): readonly string[] | undefined {
  const line = /^COMMAND = (\[.*\])$/m.exec(text)?.[1];
  try {
    const command: unknown = JSON.parse(line ?? '');
    return Array.isArray(command) ? command.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function read(name: string): Promise<string> {
  return readFile(new URL(name, SOURCES), 'utf8');
}
