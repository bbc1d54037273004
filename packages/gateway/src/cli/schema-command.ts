import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { schemaHelp } from './help.ts';
import { Misuse } from './misuse.ts';

/** `holdfast schema`: what may stand in holdfast.yaml, for editors. */
export const schemaCommand: Command = {
  name: 'schema',
  help: schemaHelp,
  // It is JSON in any case.
  options: { json: 'flag' },

  async run({ positionals }, io) {
    if (positionals.length > 0) {
      throw new Misuse(`expected no arguments, got ${positionals.join(' ')}`);
    }
    const { configJsonSchema } = await import('../config/json-schema.ts');
    io.stdout.write(`${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
    return EXIT.ok;
  },
};
