import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ListedTool } from '../messages.ts';

/** More than this of one tool says nothing new. */
const MAX_FINDINGS = 10;
const MAX_DEPTH = 32;

/**
 * Characters in what a tool says of itself that a person does not see but a model, or a terminal, acts on: the
 * usual way to hide instructions in a description. One line for each text that has some.
 */
export function suspiciousText(tool: ListedTool): readonly string[] {
  const found: string[] = [];
  lookThrough(tool, '', 0, found);
  return found;
}

function lookThrough(value: JsonValue, path: string, depth: number, found: string[]): void {
  if (found.length >= MAX_FINDINGS || depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    const what = hiddenIn(value);
    if (what !== undefined) found.push(`${path} has ${what}`);
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      lookThrough(item, `${path}[${index}]`, depth + 1, found);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value as JsonObject)) {
      // Names of parameters are read by models too.
      const hidden = hiddenIn(key);
      const at = path === '' ? key : `${path}.${key}`;
      if (hidden !== undefined) found.push(`a key of ${path} has ${hidden}`);
      lookThrough(inner, hidden === undefined ? at : `${path}.?`, depth + 1, found);
    }
  }
}

const KINDS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/[\u{E0000}-\u{E007F}]/u, 'tag characters, which spell text that nobody sees'],
  // The joiners of words and of pictures are part of scripts and of emoji; these are not.
  [
    /[\u00AD\u180E\u200B\u2060-\u2064\uFEFF\u115F\u1160\u3164\uFFA0]/u,
    'characters without a width',
  ],
  [
    /\u200D(?![\p{Extended_Pictographic}\p{L}\p{M}])|(?<![\p{L}\p{M}])\u200C/u,
    'characters without a width',
  ],
  [/[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/u, 'characters that turn the direction of text'],
  [/[\u{E0100}-\u{E01EF}]/u, 'variation selectors, which can spell text that nobody sees'],
  [/[\u001B\u009B]/, 'escape sequences of terminals'],
  [/[\u0000-\u0008\v\f\u000E-\u001F\u007F-\u009F]/, 'control characters'],
];

function hiddenIn(text: string): string | undefined {
  return KINDS.find(([pattern]) => pattern.test(text))?.[1];
}
