import {
  parseToolCalls,
  RENDER_FORMATS,
  renderToolCall,
  toolDefinitions,
} from '@holdfast/core/parse';
import type { ToolDefinition } from '@holdfast/core/parse';
import { isDeepStrictEqual } from 'node:util';
import type { ExpectedCall } from './native-defects.ts';
import { caseNames, corpusFolders, readCase } from './corpus.ts';
import type { CorpusCase } from './corpus.ts';
import { SAMPLE_TOOLS, sampleCalls } from './sample-calls.ts';

/** What a model writes, and what a client has to see of it. */
export interface ModelCase {
  readonly name: string;
  readonly written: string;
  readonly tools: readonly ToolDefinition[];
  readonly text: string;
  readonly calls: readonly ExpectedCall[];
}

const sampleTools: readonly ToolDefinition[] = SAMPLE_TOOLS.map(({ function: tool }) => tool);

/** Between a sentence and another where the dialect allows it: some begin a text, some end it. */
const SURROUNDINGS = [
  ['Let me look. ', '\nThat is all.'],
  ['Let me look.\n', ''],
  ['', '\nThat is all.'],
  ['', ''],
] as const;

/** The sample of every dialect. */
export function sampleCases(): readonly ModelCase[] {
  return sampleCalls().map(({ dialect, text: sample, name, arguments: args }) => {
    const calls = [{ name, arguments: args }];
    for (const [before, after] of SURROUNDINGS) {
      const written = before + sample + after;
      const read = parseToolCalls(written, { tools: sampleTools });
      const isOwn = read.calls.every(({ format }) => format === dialect);
      if (isOwn && isDeepStrictEqual(read.calls.map(meaning), calls))
        return { name: `sample ${dialect}`, written, tools: sampleTools, text: read.text, calls };
    }
    throw new Error(`the sample of ${dialect} is not read as what it means: ${sample}`);
  });
}

const WRITE_FILE: ToolDefinition = {
  name: 'write_file',
  description: 'Writes a file.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      content: { type: 'string' },
      overwrite: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['path', 'content'],
  },
};

/** Code, quotes, markup and other scripts: what breaks readers and writers of arguments. */
const WRITTEN = {
  path: 'src/größe 📁.ts',
  content: 'if (a < b && c > d) {\n\tprint("</tag> \\n {\'x\'}");\n}',
  overwrite: true,
  tags: ['a', 'ß', '日本'],
};

/** The same two calls in every dialect that can be written. */
export function renderedCases(): readonly ModelCase[] {
  const tools = [WRITE_FILE, ...sampleTools];
  const calls = [
    { name: 'write_file', arguments: WRITTEN },
    { name: 'now', arguments: {} },
  ];
  return RENDER_FORMATS.flatMap((format) => {
    for (const said of [calls, calls.slice(0, 1)]) {
      try {
        const written = renderToolCall(said, format, { tools });
        const { text } = parseToolCalls(written, { tools });
        return [{ name: `rendered ${format}`, written, tools, text, calls: said }];
      } catch {
        // A dialect that cannot say two calls at once says one.
      }
    }
    throw new Error(`${format} cannot write ${JSON.stringify(WRITTEN)}`);
  });
}

/** The first `perFolder` texts of each dialect's corpus that mean complete calls. */
export function corpusCases(perFolder: number): readonly ModelCase[] {
  return corpusFolders().flatMap((folder) =>
    caseNames(folder, '.txt')
      .flatMap((name) => toModelCase(readCase(folder, name)))
      .slice(0, perFolder),
  );
}

function toModelCase({ name, input, expected }: CorpusCase): readonly ModelCase[] {
  const { tools: given, ...others } = expected.options ?? {};
  if (expected.calls.length === 0 || Object.keys(others).length > 0) return [];
  const tools = toolDefinitions(given ?? namedTools(expected.calls)).map(withParameters);
  const calls = expected.calls.map(meaning);
  const read = parseToolCalls(input, { tools });
  const isSame =
    read.text === expected.text &&
    isDeepStrictEqual(read.calls.map(meaning), calls) &&
    read.calls.every(({ complete, lossy }) => complete && !lossy);
  return isSame ? [{ name, written: input, tools, text: expected.text, calls }] : [];
}

/** Clients run only tools that they have, and a text of the corpus may say nothing of its tools. */
const namedTools = (calls: readonly { readonly name: string }[]): readonly ToolDefinition[] =>
  [...new Set(calls.map(({ name }) => name))].map((name) => ({
    name,
    description: `Does what ${name} says.`,
  }));

/** Clients have to say what a tool takes, where the corpus need not. */
const withParameters = (tool: ToolDefinition): ToolDefinition => ({
  parameters: { type: 'object', properties: {} },
  ...tool,
});

const meaning = ({ name, arguments: args }: ExpectedCall): ExpectedCall => ({
  name,
  arguments: args,
});
