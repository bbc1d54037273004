import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';
import type { JsonObject } from '@holdfast/core/parse';

/** A call as models of one dialect write it, and what it means. */
export interface SampleCall {
  readonly dialect: string;
  readonly text: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The tools that the samples and the native calls are made with, as a Chat Completions request offers them. */
export const SAMPLE_TOOLS = [
  chatTool('read_file', 'Reads a file.', {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Path of the file' },
      lines: { type: 'integer', description: 'How many lines' },
    },
    required: ['path'],
  }),
  chatTool('brave_search', 'Searches the web.', {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
  }),
  chatTool('now', 'Tells the time.', { type: 'object', properties: {} }),
] as const;

/** These dialects show a second argument, or another tool, in their samples. */
const TWO_ARGUMENTS = new Set([
  'bare-call',
  'gemma4',
  'functiongemma',
  'lfm2',
  'olmo3',
  'pythonic',
]);

/** The sample of every dialect that Holdfast reads. */
export function sampleCalls(): readonly SampleCall[] {
  return createDefaultRegistry()
    .list()
    .flatMap(({ name, parser }) =>
      parser instanceof FormatParser && parser.sample !== ''
        ? [{ dialect: name, text: parser.sample, ...meaningOf(name) }]
        : [],
    );
}

/** The sample of one dialect. */
export function sampleCall(dialect: string): SampleCall {
  const found = sampleCalls().find((sample) => sample.dialect === dialect);
  if (found === undefined) throw new Error(`no sample in the dialect "${dialect}"`);
  return found;
}

function meaningOf(dialect: string): Pick<SampleCall, 'name' | 'arguments'> {
  if (dialect === 'llama-builtin') {
    return { name: 'brave_search', arguments: { query: 'tide tables' } };
  }
  const path = 'notes.md';
  const second = TWO_ARGUMENTS.has(dialect) ? { lines: 20 } : {};
  return { name: 'read_file', arguments: { path, ...second } };
}

function chatTool(
  name: string,
  description: string,
  parameters: JsonObject,
): {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
} {
  return { type: 'function', function: { name, description, parameters } };
}
