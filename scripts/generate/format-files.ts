import { toIdentifier, toTitle } from './new-name.ts';

export interface NewFormat {
  readonly name: string;
  readonly open: string;
  readonly close: string;
}

/** The files of a new format, by their paths: they work as they are, and are there to be changed. */
export function formatFiles(format: NewFormat): ReadonlyMap<string, string> {
  const { name } = format;
  const folder = 'packages/core/src/parse/formats';
  return new Map([
    [`${folder}/${name}.ts`, codeOf(format)],
    [`${folder}/${name}.test.ts`, testOf(format)],
    [`docs/formats/${name}.md`, pageOf(format)],
    ...Object.entries(casesOf(format)).flatMap(([title, { text, expected }]) => [
      [`corpus/${name}/${title}.txt`, text] as const,
      [`corpus/${name}/${title}.json`, `${JSON.stringify(expected, undefined, 2)}\n`] as const,
    ]),
  ]);
}

const SAMPLE = '{"name": "read_file", "arguments": {"path": "notes.md"}}';

function codeOf({ name, open, close }: NewFormat): string {
  return `import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';

const OPEN = ${quoted(open)};
const CLOSE = ${quoted(close)};

export const ${toIdentifier(name)}: FormatParser = new FormatParser({
  name: ${quoted(name)},
  formats: [jsonFormat(OPEN, { endMarker: CLOSE, end: 'forgettable', nextOpening: OPEN })],
  sample: \`\${OPEN}${SAMPLE}\${CLOSE}\`,
  models: [${quoted(name)}],
});
`;
}

function testOf({ name, open, close }: NewFormat): string {
  const identifier = toIdentifier(name);
  return `import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { ${identifier} } from './${name}.ts';

const OPEN = ${quoted(open)};
const CLOSE = ${quoted(close)};

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });

// What every format is asked: chunks, text around calls, several calls, broken ones, floods.
describeFormat({
  parser: ${identifier},
  write: (name, args) => \`\${OPEN}\${call(name, args)}\${CLOSE}\`,
  endMarker: CLOSE,
  pieces: [OPEN, CLOSE, \`\${OPEN}{\`, \`\${OPEN}{"name": "f", "arguments": {"a":\`, OPEN.slice(0, -1)],
});

describe(${quoted(name)}, () => {
  test('reads a call whose end was forgotten, and keeps the text behind it', () => {
    const { calls, text } = parseToolCalls(\`\${OPEN}\${call('a', {})}\\nThat is all.\`);
    expect(calls).toMatchObject([{ name: 'a', format: ${quoted(name)}, repairs: ['missing-end-marker'] }]);
    expect(text).toBe('\\nThat is all.');
  });

  test('leaves markers in prose as text', () => {
    const text = \`Behind \${OPEN} comes a call.\`;
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
`;
}

function pageOf({ name, open, close }: NewFormat): string {
  const call = '{"name": "now", "arguments": {}}';
  return `# Format: ${name}

\`\`\`
${open}${SAMPLE}${close}
\`\`\`

## Grammar

\`${open}\`, a call or a list of calls as JSON, \`${close}\`. Text may stand around it.

\`\`\`ts
import { parseToolCalls } from '@holdfast/core/parse';

const { calls, text } = parseToolCalls(${quoted(`I look. ${open}${call}${close}`)});
console.log(calls[0]?.format, calls[0]?.name, text); // → ${name} now I look. 
\`\`\`

## Models

${toTitle(name)}. Selected by \`model\` names with \`${name}\`.

## What is tolerated

- Every [repair](../tolerant-json.md#every-repair) of the JSON, in any order and spelling of the keys.
- A missing \`${close}\`, whatever follows (\`missing-end-marker\`).

## What stays text

Markers in prose, JSON that names no tool (\`unreadable-call\`), a call the text ends in (\`incomplete-call\`).

Cases: [corpus/${name}](../../corpus/${name}).
`;
}

interface Case {
  readonly text: string;
  readonly expected: object;
}

function casesOf({ name, open, close }: NewFormat): Readonly<Record<string, Case>> {
  const block = (tool: string, args: object): string =>
    `${open}${JSON.stringify({ name: tool, arguments: args })}${close}`;
  const tides = { name: 'tide_table', arguments: { harbour: 'Brest', days: 2 } };
  const wind = { name: 'wind', arguments: { at: [48.4, -4.5] } };
  const cut = `I look. ${open}{"name": "tide_table", "arguments": {"harbour": "Bre`;
  const prose = `Behind ${open} comes a call, and ${close} ends it.`;
  return {
    'one-call': {
      text: `I look it up.\n${block(tides.name, tides.arguments)}\n`,
      expected: {
        about: 'One call behind a sentence.',
        text: 'I look it up.\n\n',
        calls: [tides],
        formats: [name],
      },
    },
    'two-calls': {
      text: `${block(tides.name, tides.arguments)} and ${block(wind.name, wind.arguments)}`,
      expected: {
        about: 'Two calls with a word between them.',
        text: ' and ',
        calls: [tides, wind],
        formats: [name],
      },
    },
    'cut-off': {
      text: cut,
      expected: {
        about: 'The text ends inside the call.',
        text: cut,
        calls: [],
        issues: ['incomplete-call'],
      },
    },
    'in-prose': {
      text: prose,
      expected: { about: 'The markers are only mentioned.', text: prose, calls: [] },
    },
  };
}

/** As Prettier would write it. */
function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\');
  return text.includes("'") && !text.includes('"')
    ? `"${escaped}"`
    : `'${escaped.replaceAll("'", "\\'")}'`;
}
