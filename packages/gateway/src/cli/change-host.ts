import { join } from 'node:path';
import { stateFolder } from '../agents/hook/state-folder.ts';
import { CannotInstallError } from '../agents/install/agent-installer.ts';
import type { AgentInstaller, InstallContext } from '../agents/install/agent-installer.ts';
import type { HostChange } from '../agents/install/file-change.ts';
import { InstallRecords } from '../agents/install/install-records.ts';
import { loadInstaller } from '../agents/install/installers.ts';
import { makeChange } from '../agents/install/make-change.ts';
import type { Arguments } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { changeJson, formatDiff, formatOutcome } from './format-change.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readHostName, readInstallContext } from './read-install-context.ts';
import { safeJson, safeText } from './safe-text.ts';
import { stylesFor } from './style.ts';

/** What `install` and `uninstall` differ in. */
export interface HostAction {
  plan(
    installer: AgentInstaller,
    context: InstallContext,
    records: InstallRecords,
  ): Promise<HostChange>;
  /** What is said where there is nothing to do. */
  unchanged(title: string): string;
}

/** Shows what would be done to an agent's files and, unless it was asked not to, does it. */
export async function changeHost(given: Arguments, io: Io, action: HostAction): Promise<number> {
  const name = readHostName(given);
  const context = readInstallContext(name, given, io);
  const isDryRun = given.flags.has('dry-run');
  const installer = await loadInstaller(name);
  const folder = join(stateFolder(io.env, process.platform), 'installs');
  const records = new InstallRecords(folder, { pause: io.sleep });
  try {
    const change = await action.plan(installer, context, records);
    if (given.flags.has('json')) {
      if (!isDryRun) await makeChange(change, records);
      io.stdout.write(`${safeJson(changeJson(name, change, isDryRun), 2)}\n`);
      return EXIT.ok;
    }
    const styles = stylesFor(io);
    if (isDryRun || installer.ownsFiles !== true) {
      for (const file of change.files) io.stdout.write(formatDiff(file, styles));
    }
    if (!isDryRun) await makeChange(change, records);
    for (const file of change.files) io.stdout.write(formatOutcome(file, isDryRun));
    if (change.files.length === 0) io.stdout.write(`${action.unchanged(installer.title)}\n`);
    for (const note of change.notes) io.stdout.write(`${safeText(note)}\n`);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CannotInstallError) throw new Misuse(error.message);
    throw error;
  }
}
