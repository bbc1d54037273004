import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';
import type { ToolDefinition } from '@holdfast/core/parse';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseNames } from './support/corpus.ts';
import { formatsIndex } from './support/formats-index.ts';
import { readPage } from './support/markdown.ts';
import { listFiles, readText, root } from './support/repository.ts';

const registry = createDefaultRegistry();
const parsers = registry.list().map(({ name, parser }) => ({ name, parser }));
const formats = parsers.flatMap(({ name, parser }) =>
  parser instanceof FormatParser && parser.formats.length > 0 ? [{ name, parser }] : [],
);

/** What samples call: some formats cannot be told from prose unless they name a tool that was offered. */
const tools: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    },
  },
];

const pageOf = (name: string): string => `docs/formats/${name}.md`;

/** What a page has, in this order: a newcomer finds the same thing at the same place. */
const SECTIONS = ['Grammar', 'Models', 'What is tolerated', 'What stays text'];
/** And where there is something to say. */
const OWN_SECTION = 'Where implementations disagree';

const inWords = (list: readonly string[]): string =>
  list.length === 1 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1)!}`;

// Whoever adds a dialect is told here what is still missing.
describe('every format', () => {
  it.each(parsers)('$name has a page that shows how it looks', ({ name }) => {
    expect(existsSync(join(root, pageOf(name))), `${pageOf(name)} is missing`).toBe(true);
    expect(readText(pageOf(name)).split('\n')[0]).toBe(`# Format: ${name}`);
  });

  it.each(parsers)('$name has a page with the sections that every page has', ({ name }) => {
    const { prose, fences } = readPage(readText(pageOf(name)));
    const headings = prose.flatMap((line) => /^## (.*)$/.exec(line)?.[1] ?? []);

    expect(headings.filter((heading) => heading !== OWN_SECTION)).toEqual(SECTIONS);
    const grammarAt = prose.indexOf('## Grammar');
    expect(
      fences.some(({ line }) => line < grammarAt),
      'a sample before the grammar',
    ).toBe(true);
    expect(prose.findLast((line) => line !== '')).toBe(
      `Cases: [corpus/${name}](../../corpus/${name}).`,
    );
  });

  it.each(formats)('$name has a page that names what selects it', ({ name, parser }) => {
    const section = readText(pageOf(name)).split('## Models\n')[1]?.split('\n## ')[0] ?? '';
    const { models } = parser;
    const sentence =
      models.length === 0
        ? 'No `model` name selects it.'
        : `Selected by \`model\` names with ${inWords(models.map((word) => `\`${word}\``))}.`;

    expect(section).toContain(sentence);
  });

  it.each(parsers)('$name has at least four cases in the corpus', ({ name }) => {
    const folder = `corpus/${name}`;
    expect(existsSync(join(root, folder)), `${folder} is missing`).toBe(true);
    expect(caseNames(name, '.txt').length).toBeGreaterThanOrEqual(4);
  });

  it.each(formats)('$name reads its own sample, whoever else is asked', ({ name, parser }) => {
    const untold = registry.parse(parser.sample);
    const { calls, issues } =
      untold.calls.length > 0 ? untold : registry.parse(parser.sample, { tools });

    expect(calls.map(({ format }) => format)).toEqual([name]);
    expect(calls[0]).toMatchObject({ repairs: [], complete: true, lossy: false });
    expect(issues).toEqual([]);
  });

  it('is there for every page', () => {
    const pages = listFiles('docs/formats', (path) => path.endsWith('.md'));
    const known = ['docs/formats/README.md', ...parsers.map(({ name }) => pageOf(name))];

    expect(pages.filter((page) => !known.includes(page))).toEqual([]);
  });

  it('is listed on docs/formats/README.md', async () => {
    await expect(formatsIndex(registry)).toMatchFileSnapshot('../docs/formats/README.md');
  });
});
