import type { JsonObject, JsonValue } from '@holdfast/core';
import { objectOf, textOf, without } from '../json/json-fields.ts';
import { readResponseTools } from './response-tools.ts';

/** A custom tool as a function that takes its free text as `input`; what the text has to look like is told in words. */
export function customAsFunction(tool: JsonObject): JsonObject {
  const [read] = readResponseTools([tool]);
  if (read === undefined) return tool;
  const description = [read.description, formatText(objectOf(tool['format']))]
    .filter((text) => text !== '')
    .join('\n\n');
  return {
    ...without(tool, FIELDS),
    type: 'function',
    name: read.name,
    ...(description !== '' && { description }),
    parameters: read.parameters,
    strict: false,
  };
}

/** Free text as the arguments of such a function. */
export function customInputJson(input: JsonValue | undefined): string {
  return JSON.stringify({ input: textOf(input) });
}

const FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'description', 'format']);

/** Grammars of real tools stay below; a longer one would crowd out the conversation. */
const LONGEST_GRAMMAR = 8_000;

function formatText({ type, syntax, definition, grammar }: JsonObject): string {
  // Chat Completions has the definition one level deeper.
  const inner = objectOf(grammar);
  const text = textOf(definition) || textOf(inner['definition']);
  if (type !== 'grammar' || text === '') return '';
  const kind = textOf(syntax) || textOf(inner['syntax']);
  const cut =
    text.length > LONGEST_GRAMMAR ? `${text.slice(0, LONGEST_GRAMMAR)}\n(cut here)` : text;
  return `input has to match this ${kind === '' ? '' : `${kind} `}grammar:\n${cut}`;
}
