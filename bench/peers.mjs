import { parseJsonMarkdown } from '@langchain/core/output_parsers';
import { LLMJSONParser } from 'ai-json-fixer';
import { disableErrorLogging, parse as parseBestEffort } from 'best-effort-json-parser';
import Hjson from 'hjson';
import { parseFromLLM } from 'json-llm-repair';
import { loads } from 'json-repair-js';
import json5 from 'json5';
import { parse as parseJsonc } from 'jsonc-parser';
import { jsonrepair } from 'jsonrepair';
import { repairJson } from 'llm-json-repair';
import { parse as parsePartial } from 'partial-json';
import { parseJson } from './core.mjs';
import { peerAliases } from './harness/peer-aliases.mjs';

const { parsePartialJson } = await import(peerAliases.ai);

disableErrorLogging();
// json5 warns of every U+2028 in a string, thousands of times.
console.warn = () => {};

const fixer = new LLMJSONParser();

/** What reads broken JSON: `read` returns the value, or throws or returns undefined where it refuses. */
export const readers = [
  { name: 'holdfast', read: readCall, readValue: (text) => unwrap(parseJson(text)) },
  { name: 'jsonrepair', read: (text) => JSON.parse(jsonrepair(text)) },
  { name: 'json-llm-repair', read: (text) => parseFromLLM(text, { mode: 'repair' }) },
  { name: 'llm-json-repair', read: readLlmJsonRepair },
  { name: 'best-effort-json-parser', read: (text) => parseBestEffort(text) },
  { name: 'json-repair-js', read: (text) => loads(text) },
  { name: 'jsonc-parser', read: (text) => parseJsonc(text) },
  { name: 'partial-json', read: (text) => parsePartial(text) },
  {
    name: 'ai',
    label: 'ai parsePartialJson',
    read: async (text) => (await parsePartialJson(text)).value,
  },
  { name: 'json5', read: (text) => json5.parse(text) },
  {
    name: '@langchain/core',
    label: 'langchain parseJsonMarkdown',
    read: (text) => parseJsonMarkdown(text),
  },
  { name: 'ai-json-fixer', read: (text) => fixer.parse(text) },
  { name: 'hjson', read: (text) => Hjson.parse(text) },
  { name: 'JSON.parse', read: (text) => JSON.parse(text) },
];

function readCall(text, note) {
  const result = parseJson(text, { expect: 'call' });
  if (result.ok)
    note?.({ isMarked: !result.complete || result.lossy, isComplete: result.complete });
  return unwrap(result);
}

function unwrap(result) {
  return result.ok ? result.value : undefined;
}

function readLlmJsonRepair(text) {
  const result = repairJson(text);
  return result.ok ? result.value : undefined;
}
