import type { JsonValue, ToolDefinition } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';

/**
 * The fewest tokens that a prompt with these tools can have: what any template tells of them, at twice as many
 * characters a token as the densest text has. Runs of one character and space are not counted, as a token
 * may hold a whole line of them.
 */
export function fewestToolTokens(tools: readonly ToolDefinition[]): number {
  let characters = 0;
  for (const { name, description = '', parameters } of tools)
    characters += countCharacters(name) + countCharacters(description) + nameLengths(parameters, 0);
  return Math.floor(characters / MOST_CHARACTERS_A_TOKEN);
}

const MOST_CHARACTERS_A_TOKEN = 8;

/** Deeper ones may be left out by a template, as may be those behind a reference. */
const DEEPEST = 4;

/** The names of the parameters, also of those within others. */
function nameLengths(schema: JsonValue | undefined, depth: number): number {
  if (!isObject(schema) || depth > DEEPEST) return 0;
  const { properties, items } = schema;
  let length = nameLengths(items, depth + 1);
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
    length += countCharacters(name) + nameLengths(property, depth + 1);
  return length;
}

function countCharacters(text: string): number {
  let count = 0;
  let before = '';
  for (const character of text) {
    if (character !== before && character.trim() !== '') count++;
    before = character;
  }
  return count;
}
