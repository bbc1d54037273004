import type { JsonObject, JsonValue } from '@holdfast/core';
import { z } from 'zod';
import { choice, flag, section, wholeNumber } from '../../config/schema-parts.ts';
import type { Plugin, PluginViolation } from '../plugin.ts';
import type { BuiltInPlugin } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';
import { mapTexts } from './map-texts.ts';

const MOST = 1_000_000_000;

const schema = section({
  min_chars: wholeNumber(0, MOST).default(0).describe('A shorter text is told of, or blocked.'),
  max_chars: wholeNumber(1, MOST)
    .exactOptional()
    .describe('A longer text is cut, or blocked. Without it, no text is too long.'),
  strategy: choice(['truncate', 'block']).default('truncate').describe('Which of the two.'),
  ellipsis: z.string({ error: 'text' }).default('…').describe('What stands where a text was cut.'),
  word_boundary: flag.default(false).describe('Whether it is cut between words.'),
}).superRefine(({ min_chars: min, max_chars: max }, context) => {
  if (max === undefined || min <= max) return;
  const message = `at least min_chars, which is ${min}`;
  context.addIssue({ code: 'custom', path: ['max_chars'], message });
});

type Config = z.output<typeof schema>;

/** Cuts texts of results that are too long, or holds such results back. */
export const outputLengthGuard: BuiltInPlugin = builtIn(schema, createOutputLengthGuard);

function createOutputLengthGuard(config: Config): Plugin {
  const { min_chars: min, max_chars: max = Infinity, strategy } = config;
  return {
    tool_post_invoke: (payload, { shown_name: shown }) => {
      const outside: number[] = [];
      const cut = mapTexts(payload.result, (text) => {
        const { length } = text;
        if (length >= min && length <= max) return text;
        outside.push(length);
        return length > max ? cutText(text, max, config) : text;
      });
      const [length] = outside;
      if (length === undefined) return undefined;
      if (strategy === 'block') return { violation: violationOf(shown, length, config) };
      const metadata: JsonObject = {
        output_length_guard: { original_lengths: outside, truncated: cut !== payload.result },
      };
      return cut === payload.result
        ? { metadata }
        : { metadata, modified_payload: { ...payload, result: cut } };
    },
  };
}

function cutText(text: string, max: number, { ellipsis, word_boundary: atWord }: Config): string {
  const mark = ellipsis.length < max ? ellipsis : '';
  let end = max - mark.length;
  if (atWord) {
    // Not far back: a text without spaces would be lost.
    const space = text.lastIndexOf(' ', end);
    if (space >= end - max * 0.2 && space > 0) end = space;
  }
  const last = text.charCodeAt(end - 1);
  // Half of a pair is no character.
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return text.slice(0, end) + mark;
}

function violationOf(tool: string, length: number, config: Config): PluginViolation {
  const { min_chars: min, max_chars: max = null } = config;
  const bound = length < min ? `at least ${min}` : `at most ${String(max)}`;
  return {
    reason: 'Output length out of bounds',
    description:
      `${tool} ran and returned a text of ${length} characters, where ${bound} are allowed; it is held back. ` +
      'Ask for less at once, or for a part of it.',
    code: 'OUTPUT_LENGTH_VIOLATION',
    details: { length, min, max, strategy: 'block' } satisfies Record<string, JsonValue>,
    http_status_code: 422,
  };
}
