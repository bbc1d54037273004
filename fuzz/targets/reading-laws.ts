import type { ParserRegistry, ToolDefinition } from '@holdfast/core/parse';
import { cutRandomly } from '../../scripts/conformance/chunkings.ts';
import { firstDifference, readStreamed, readWhole } from '../../scripts/conformance/reading.ts';
import type { Reading, ReadOptions } from '../../scripts/conformance/reading.ts';
import { BrokenLaw, expectSame, expectTrue } from '../loop/fuzz-target.ts';
import { expectJson } from './json-value.ts';

/** Tools that the words of inputs call, with schemas that type some of their arguments. */
export const OFFERED: readonly ToolDefinition[] = [
  { name: 'f' },
  {
    name: 'read_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
      required: ['path'],
    },
  },
  {
    name: 'search',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: ['integer', 'null'] },
        exact: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        where: { type: 'object', properties: { a: { type: 'number' } } },
      },
    },
  },
];

/** Longer texts are not also read character by character. */
const DRIP_LENGTH = 400;

/**
 * What holds of every text, however it is cut: nothing is thrown, every character comes back, what is told does not
 * depend on the chunks, and arguments are JSON.
 */
export function checkReading(text: string, options: ReadOptions, cutSeed: number): Reading {
  const whole = readWhole(text, options);
  const wanted = summaryOf(whole);
  const drip = text.length <= DRIP_LENGTH && cutSeed % 4 === 0 ? [text.split('')] : [];
  for (const chunks of [cutRandomly(text, cutSeed), cutInTwo(text, cutSeed), ...drip]) {
    const streamed = readStreamed(chunks, options);
    const [fault] = streamed.faults;
    if (fault !== undefined) throw new BrokenLaw(lawOf(fault), `${fault}\n${cutsOf(chunks)}`);
    const got = summaryOf(streamed);
    if (got !== wanted)
      throw new BrokenLaw(
        `every chunking gives the same ${differenceOf(whole, streamed)}`,
        `in chunks: ${got}\n    whole: ${wanted}\n${cutsOf(chunks)}`,
      );
  }
  for (const call of whole.calls) {
    expectJson(call.arguments);
    const { argumentsText: written, arguments: args } = call;
    if (written === undefined) continue;
    const said = JSON.stringify(JSON.parse(written));
    expectSame('the text of the arguments says what they are', said, JSON.stringify(args));
  }
  const threw = whole.issues.find(({ code }) => code === 'parser-threw');
  expectTrue('no parser throws', threw === undefined, () => threw?.message ?? '');
  return whole;
}

/** Which part differs; of issues, which of them. */
function differenceOf(whole: Reading, streamed: Reading): string {
  const part = firstDifference(whole, streamed);
  if (part !== 'issues') return part ?? 'order of keys';
  const codesOf = ({ issues }: Reading): string => issues.map(({ code }) => code).join(', ');
  return `issues: ${codesOf(whole)} or ${codesOf(streamed)}`;
}

function lawOf(fault: string): string {
  return fault.startsWith('the fragments') ? 'fragments add up to the arguments' : fault;
}

function cutsOf(chunks: readonly string[]): string {
  return `chunks: ${JSON.stringify(chunks)}`;
}

function cutInTwo(text: string, seed: number): string[] {
  const at = seed % (text.length + 1);
  return [text.slice(0, at), text.slice(at)];
}

function summaryOf({ calls, text, reasoning, issues }: Reading): string {
  return JSON.stringify({ calls, text, reasoning, issues });
}

/** Reads a text once, with time standing still. */
export function readOnce(text: string, registry: ParserRegistry): void {
  const { segments } = registry.parse(text, { clock: { now: () => 0 }, nextId: () => 'id' });
  const length = segments.reduce((sum, { raw }) => sum + raw.length, 0);
  expectSame('every character comes back', String(length), String(text.length));
}
