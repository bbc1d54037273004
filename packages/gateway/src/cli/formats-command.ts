import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';
import type { ToolParser } from '@holdfast/core/parse';
import type { Command } from './command.ts';
import { cutLine } from './cut-line.ts';
import { EXIT } from './exit-codes.ts';
import { formatsHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { safeJson, safeText } from './safe-text.ts';
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
    const columns = io.stdout.columns ?? Infinity;
    const widest = Math.max(...formats.map(({ name }) => name.length));
    for (const { name, models, sample } of formats) {
      const head = cutLine(`${name.padEnd(widest)}  ${models.join(', ')}`.trimEnd(), columns);
      const line = cutLine(`  ${oneLine(sample === '' ? emptySample(name) : sample)}`, columns);
      io.stdout.write(
        `${bold(head.slice(0, name.length))}${head.slice(name.length)}\n${dim(line)}\n`,
      );
    }
    return EXIT.ok;
  },
};

function oneLine(sample: string): string {
  return safeText(sample).replaceAll('\n', '⏎').replaceAll('\t', ' ');
}

function detailsOf(parser: ToolParser): { models: readonly string[]; sample: string } {
  if (!(parser instanceof FormatParser)) return { models: [], sample: '' };
  return { models: parser.models, sample: parser.sample };
}

function emptySample(name: string): string {
  return name === 'custom'
    ? '(the place of formats you define in code)'
    : '(any other text, as it is)';
}
