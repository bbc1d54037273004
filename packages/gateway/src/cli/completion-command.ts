import type { Command } from './command.ts';
import { listCompletedCommands, SHELLS } from './completion/completed-command.ts';
import { writeBash } from './completion/write-bash.ts';
import { writeFish } from './completion/write-fish.ts';
import { writeZsh } from './completion/write-zsh.ts';
import { EXIT } from './exit-codes.ts';
import { completionHelp } from './help-operate.ts';
import { Misuse } from './misuse.ts';
import { checkChoice } from './read-choice.ts';

const WRITERS = { bash: writeBash, zsh: writeZsh, fish: writeFish };

/** `holdfast completion`: what makes a shell complete commands and options. */
export const completionCommand: Command = {
  name: 'completion',
  help: completionHelp,
  options: {},

  async run({ positionals }, io) {
    const [written, ...more] = positionals;
    if (written === undefined) throw new Misuse(`expected a shell: ${SHELLS.join(', ')}`);
    if (more.length > 0) throw new Misuse(`expected one shell, got ${positionals.join(' ')}`);
    const shell = checkChoice('completion', written, SHELLS);
    io.stdout.write(WRITERS[shell](await listCompletedCommands()));
    return EXIT.ok;
  },
};
