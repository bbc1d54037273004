import { parseArgs } from 'node:util';
import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';
import { formatsIndex } from '../test/support/formats-index.ts';
import { formatFiles } from './generate/format-files.ts';
import type { NewFormat } from './generate/format-files.ts';
import { addChangelogLine, addDialect, countDialects } from './generate/insert-lines.ts';
import { readNewName, Refusal, toIdentifier } from './generate/new-name.ts';
import { runGenerator, writeMade } from './generate/run-generator.ts';

// npm run new:format -- <name> [--open <marker> --close <marker>]

/** Below every dialect with markers of its own, so that none of them is read differently. */
const PRIORITY = 60;

const LIST = 'packages/core/src/parse/formats/json-dialects.ts';

function readFormat(args: readonly string[]): NewFormat {
  const { values, positionals } = readArguments(args);
  if (positionals.length > 1) {
    throw new Refusal(`expected a name only, got ${positionals.slice(1).join(' ')} too`);
  }
  const parsers = createDefaultRegistry().list();
  const name = readNewName(positionals[0], {
    what: 'format',
    taken: parsers.map((parser) => parser.name),
  });
  const tag = name.replace(/[.-]/g, '_');
  const { open = `<${tag}_call>`, close = `</${tag}_call>` } = values;
  for (const [option, marker] of Object.entries({ open, close })) {
    if (/^[\x21-\x5f\x61-\x7e]{3,60}$/.test(marker)) continue;
    throw new Refusal(
      `--${option}: expected 3 to 60 characters without spaces or backticks, got "${marker}"`,
    );
  }
  const owner = parsers.find(
    ({ parser }) =>
      parser instanceof FormatParser &&
      parser.formats.some(({ openings }) => openings.some(({ text }) => text === open)),
  );
  if (owner === undefined) return { name, open, close };
  throw new Refusal(
    `--open: ${open} is an opening of ${owner.name} already; what it does not read belongs there`,
  );
}

function readArguments(args: readonly string[]) {
  try {
    const options = { open: { type: 'string' }, close: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Refusal(`${message.split('. ', 1).join('')}; expected --open and --close`);
  }
}

/** The list of all formats, with one that this process has not loaded. */
function indexWith({ name, open, close }: NewFormat): string {
  const sample = `${open}{"name": "read_file", "arguments": {"path": "notes.md"}}${close}`;
  const parser = new FormatParser({ name, formats: [], sample, models: [name] });
  return formatsIndex(createDefaultRegistry().register(parser, PRIORITY));
}

/** Those with markers or a shape of their own, and the one that is new. */
const dialectCount = (): number =>
  createDefaultRegistry()
    .list()
    .filter(({ name }) => name !== 'custom' && name !== 'fallback').length + 1;

await runGenerator(async () => {
  const format = readFormat(process.argv.slice(2));
  const { name } = format;
  const line = `Format [${name}](docs/formats/${name}.md).`;
  const paths = await writeMade({
    files: formatFiles(format),
    edits: new Map<string, (text: string) => string>([
      [LIST, (text) => addDialect(text, name, PRIORITY)],
      ['docs/formats/README.md', () => indexWith(format)],
      ['docs/comparison.md', (text) => countDialects(text, dialectCount())],
      ['CHANGELOG.md', (text) => addChangelogLine(text, line)],
    ]),
  });
  return `${paths.join('\n')}

${toIdentifier(name)} reads JSON between ${format.open} and ${format.close}, and passes its tests. Next:
  1. put what the model really writes into corpus/${name}/, with what it means beside it
  2. change packages/core/src/parse/formats/${name}.ts until npm run check passes
  3. say in docs/formats/${name}.md who writes it, and what is tolerated
docs/add-a-dialect.md goes through it step by step.`;
});
