import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';
import type { ToolParser } from '@holdfast/core/parse';
import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatsHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { safeJson } from './safe-text.ts';
import { stylesFor } from './style.ts';

export const formatsCommand: Command = {
  name: 'formats',
  help: formatsHelp,
  options: { json: 'flag' },

  async run({ flags, positionals }, io) {
    if (positionals.length > 0)
      throw new Misuse(`expected no arguments, got ${positionals.join(' ')}`);
    const formats = createDefaultRegistry()
      .list()
      .map(({ name, priority, parser }) => ({ name, priority, ...detailsOf(parser) }));
    if (flags.has('json')) {
      io.stdout.write(`${safeJson(formats, 2)}\n`);
      return EXIT.ok;
    }
    const { bold, dim } = stylesFor(io);
    const shown = formats.map(({ name, priority, models, sample }) => {
      const facts = [`priority ${priority}`];
      if (models.length > 0) facts.push(`models: ${models.join(', ')}`);
      const lines = (sample === '' ? emptySample(name) : sample).split('\n');
      return [`${bold(name)}  ${dim(facts.join('; '))}`, ...lines.map((line) => `  ${line}`)];
    });
    io.stdout.write(`${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`);
    return EXIT.ok;
  },
};

function detailsOf(parser: ToolParser): { models: readonly string[]; sample: string } {
  if (!(parser instanceof FormatParser)) return { models: [], sample: '' };
  return { models: parser.models, sample: parser.sample };
}

function emptySample(name: string): string {
  return name === 'custom'
    ? '(the place of formats you define in code)'
    : '(any other text, as it is)';
}
