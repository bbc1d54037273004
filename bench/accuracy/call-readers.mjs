import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from '@ai-sdk-tool/parser';
import { jsonrepair } from 'jsonrepair';
import { parse as parsePartial } from 'partial-json';
import { parserFor } from '../../scripts/conformance/format-names.ts';
import { createDefaultRegistry, parseToolCalls } from '../core.mjs';
import { OURS } from '../harness/figures.mjs';

/**
 * What reads calls out of an answer. `read` is given the text, the tools that were offered and the format, and returns
 * calls as `{ name, arguments }`. `can` says whether it knows the format at all.
 */
export const callReaders = [
  {
    name: `${OURS}, told nothing`,
    read: ({ input, tools, options = {} }) =>
      parseToolCalls(input, { ...options, ...(tools && { tools }) }).calls,
  },
  {
    name: `${OURS}, told the format`,
    can: ({ format }) => ownName(format) !== undefined,
    read: ({ input, tools, format, options = {} }) =>
      parseToolCalls(input, { ...options, ...(tools && { tools }), format: ownName(format) }).calls,
  },
  {
    name: '@ai-sdk-tool/parser, told the format',
    can: ({ format }) => protocolOf(format) !== undefined,
    read: readByProtocol,
  },
  { name: 'tags or brackets, jsonrepair', read: (one) => readBodies(one, readRepaired) },
  { name: 'tags or brackets, partial-json', read: (one) => readBodies(one, readPartial) },
  { name: 'tags or brackets, JSON.parse', read: (one) => readBodies(one, JSON.parse) },
];

const readRepaired = (text) => JSON.parse(jsonrepair(text));
const readPartial = (text) => parsePartial(text);

/** Vectors have names of other projects for formats, the corpus ours. */
const ownName = (format) => (OWN.has(format) ? format : parserFor(format));
const OWN = new Set(
  createDefaultRegistry()
    .list()
    .map(({ name }) => name),
);

const PROTOCOLS = {
  qwen: hermesProtocol(),
  'qwen3-coder': qwen3CoderProtocol(),
  'tool-name-xml': morphXmlProtocol(),
};

/** It has protocols for three of the formats. */
function protocolOf(format) {
  return PROTOCOLS[ownName(format)];
}

function readByProtocol({ input, tools = [], format }) {
  const offered = tools.map(({ name, parameters = { type: 'object' } }) => ({
    type: 'function',
    name,
    inputSchema: parameters,
  }));
  const parts = protocolOf(format).parseGeneratedText({ text: input, tools: offered, options: {} });
  return parts
    .filter(({ type }) => type === 'tool-call')
    .map(({ toolName, input: args }) => ({ name: toolName, arguments: JSON.parse(args) }));
}

/** What a program does without a library for calls: the usual tags, or else a fence, or else from the first bracket to the last. */
function readBodies({ input }, read) {
  return bodiesOf(input).flatMap((body) => toCalls(read(body)));
}

function bodiesOf(text) {
  for (const [open, close] of [
    ['<tool_call>', '</tool_call>'],
    ['```json', '```'],
  ]) {
    const bodies = between(text, open, close);
    if (bodies.length > 0) return bodies;
  }
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  return from < 0 ? [] : [text.slice(from, to > from ? to : undefined)];
}

function between(text, open, close) {
  return text
    .split(open)
    .slice(1)
    .map((part) => part.split(close, 1)[0]);
}

/** Every spelling of a call in JSON that is in use, read as it is meant. */
function toCalls(value) {
  if (Array.isArray(value)) return value.flatMap(toCalls);
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value.tool_calls)) return value.tool_calls.flatMap(toCalls);
  const inner = typeof value.function === 'object' ? value.function : value;
  const name = inner?.name ?? inner?.tool_name ?? inner?.tool;
  if (typeof name !== 'string') return [];
  const args = inner.arguments ?? inner.parameters ?? inner.args ?? {};
  return [{ name, arguments: typeof args === 'string' ? JSON.parse(args) : args }];
}
