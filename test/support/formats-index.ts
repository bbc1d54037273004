import { FormatParser } from '@holdfast/core/parse';
import type { ParserRegistry } from '@holdfast/core/parse';

/** Characters of a sample that the index shows. */
const SHOWN = 72;

/** The page that lists every format of a registry: what it is called, who writes it, what it looks like. */
export function formatsIndex(registry: ParserRegistry): string {
  const rows = [...registry.list()].sort(byName).map(({ name, parser }) => {
    const { models, sample } = parser instanceof FormatParser ? parser : NO_DETAILS;
    const looks = sample === '' ? WITHOUT_SAMPLE[name] : code(oneLine(sample));
    return `| [${name}](${name}.md) | ${models.map(code).join(', ')} | ${looks} |`;
  });
  return `# Formats

Every dialect that is detected automatically, with the models known on 2026-11-18. Each page has the grammar, what is tolerated, and what stays text. Where several claim an opening, the option \`model\` puts that format first whose words in the middle are part of the model's name.

| format | models | looks like |
| --- | --- | --- |
${rows.join('\n')}

This page is written from the registry: \`npx vitest run test/formats.test.ts -u\`.
`;
}

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1;

const NO_DETAILS: { models: readonly string[]; sample: string } = { models: [], sample: '' };

const WITHOUT_SAMPLE: Readonly<Record<string, string>> = {
  custom: 'what you [define](../define-a-format.md)',
  fallback: 'any other text',
};

function oneLine(sample: string): string {
  const line = sample.replaceAll('\n', '⏎');
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1)}…`;
}

/** Code in a cell: a fence longer than any inside it, and bars that end no cell. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  const space = runs.length > 0 ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`;
}
