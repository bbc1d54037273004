import type { Command } from './command.ts';
import { uninstallHelp } from './help.ts';
import { PLACE_OPTIONS } from './read-install-context.ts';

/** `holdfast uninstall`: takes the hooks out of an agent. */
export const uninstallCommand: Command = {
  name: 'uninstall',
  help: uninstallHelp,
  options: { ...PLACE_OPTIONS, 'dry-run': 'flag', json: 'flag' },

  async run(given, io) {
    const { uninstallChange } = await import('../agents/install/file-change.ts');
    const { changeHost } = await import('./change-host.ts');
    return changeHost(given, io, {
      plan: uninstallChange,
      unchanged: (title) => `unchanged: ${title} has no hooks of Holdfast`,
    });
  },
};
