import { writeFile } from 'node:fs/promises';
import { CONFIG_TEMPLATE } from '../config/config-template.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { initHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { safeJson, safeText } from './safe-text.ts';

/** `holdfast init`: a configuration to begin with. */
export const initCommand: Command = {
  name: 'init',
  help: initHelp,
  options: { force: 'flag', json: 'flag' },

  async run({ flags, positionals }, io) {
    const [file = 'holdfast.yaml', ...more] = positionals;
    if (more.length > 0) {
      throw new Misuse(`expected one file, got ${positionals.length}: ${positionals.join(' ')}`);
    }
    try {
      await writeFile(file, CONFIG_TEMPLATE, { flag: flags.has('force') ? 'w' : 'wx' });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      const reason = error.code === 'EEXIST' ? 'it exists; --force overwrites it' : error.message;
      throw new Misuse(`cannot write ${file}: ${reason}`);
    }
    if (flags.has('json')) {
      io.stdout.write(`${safeJson({ file })}\n`);
      return EXIT.ok;
    }
    const option = file === 'holdfast.yaml' ? '' : ` --config ${file}`;
    io.stdout.write(safeText(`Wrote ${file}. Set the url in it, then: holdfast up${option}\n`));
    return EXIT.ok;
  },
};
