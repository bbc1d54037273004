import type { Command } from './command.ts';
import { installHelp } from './help.ts';
import { PLACE_OPTIONS, readHostName, readInstallContext } from './read-install-context.ts';
import { safeLine } from './safe-text.ts';
import { isTemporaryScript } from './temporary-script.ts';

/** `holdfast install`: builds the hooks into an agent. */
export const installCommand: Command = {
  name: 'install',
  help: installHelp,
  options: { ...PLACE_OPTIONS, veto: 'flag', 'dry-run': 'flag', json: 'flag' },

  async run(given, io) {
    const { script } = readInstallContext(readHostName(given), given, io);
    if (isTemporaryScript(script)) {
      const advice = 'npm install -g holdfast, then install again from there';
      io.stderr.write(
        `holdfast: ${safeLine(script)} will be gone some day, and the hook with it: ${advice}\n`,
      );
    }
    const { installChange } = await import('../agents/install/file-change.ts');
    const { changeHost } = await import('./change-host.ts');
    return changeHost(given, io, {
      plan: installChange,
      unchanged: (title) => `unchanged: ${title} has the hooks of Holdfast`,
    });
  },
};
