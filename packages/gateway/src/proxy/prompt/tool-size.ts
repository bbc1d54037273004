import type { JsonValue, ToolDefinition } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';

/**
 * Whether a prompt of so many tokens is too short to hold these tools: fewer than what any template tells of
 * them, their names, descriptions and parameters, at twice as many characters a token as real text has.
 */
export function isShorterThanTools(tokens: number, tools: readonly ToolDefinition[]): boolean {
  const texts = tools.flatMap(({ name, description = '', parameters }) => [
    name,
    description,
    ...parameterNames(parameters, 0),
  ]);
  // Nearly always it is long enough for all characters: they need not be looked at.
  const least = Math.max(tokens, FEWEST_TOKENS - 1);
  if (tokensOf(texts.reduce((sum, text) => sum + text.length, 0)) <= least) return false;
  return tokensOf(texts.reduce((sum, text) => sum + countCharacters(text), 0)) > least;
}

/** With fewer, a count proves nothing: some short tools are no longer than what a template adds anyway. */
const FEWEST_TOKENS = 40;

function tokensOf(characters: number): number {
  return Math.floor(characters / 8);
}

/** Deeper ones may be left out by a template. */
const DEEPEST = 4;

/** The names of the parameters, also of those within others. */
function parameterNames(schema: JsonValue | undefined, depth: number): readonly string[] {
  if (!isObject(schema) || depth > DEEPEST) return [];
  const { properties, items } = schema;
  const own = Object.entries(isObject(properties) ? properties : {});
  return [
    ...own.flatMap(([name, property]) => [name, ...parameterNames(property, depth + 1)]),
    ...parameterNames(items, depth + 1),
  ];
}

/** Without space and runs of one character, of which a token may hold a whole line. */
function countCharacters(text: string): number {
  let count = 0;
  let before = '';
  for (const character of text) {
    if (character !== before && character.trim() !== '') count++;
    before = character;
  }
  return count;
}
