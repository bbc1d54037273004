import { describe, expect, test } from 'vitest';
import { allCuts, readChunks } from './chunking.case.ts';
import type { Told } from './chunking.case.ts';
import { createDefaultRegistry } from './default-registry.ts';
import type { FormatParser } from './format-parser.ts';
import { react } from './formats/react.ts';
import type { ParseLimits } from './limits.ts';
import type { ParseOptions } from './parse-options.ts';
import { ParserRegistry } from './parser-registry.ts';

interface Case {
  /** What the text is about. */
  readonly about: string;
  readonly text: string;
  readonly limits?: Partial<ParseLimits>;
  readonly options?: ParseOptions;
  /** The only parser, where others would read along. */
  readonly alone?: FormatParser;
}

/** Texts that were once read in two ways, depending on where they were cut. All of them were found by fuzzing. */
const CASES: readonly Case[] = [
  {
    about: 'a call that is cut past the size of a call',
    text: 'functools["ame": "rearguments": {"path": "notes.m',
    limits: { maxCallBytes: 48 },
  },
  {
    about: 'a beginning that a look rules out, but only past the size of a call',
    text: '{name:"searcsearchh","ar{',
    limits: { maxCallBytes: 24 },
    options: { tools: [{ name: 'search' }] },
  },
  {
    about: 'an opening that is larger than a call may be',
    text: '<｜tool_call_begin｜>f<｜tool_sep｜><s',
    limits: { maxCallBytes: 24 },
  },
  {
    about: 'a pair of surrogates that fits into the message by half',
    text: 'abc😀<tool_call>{"name":"f","arguments":{}}</tool_call>',
    limits: { maxInputBytes: 5 },
  },
  {
    about: 'a pair of surrogates that fits into a call by half',
    text: '<tool_call>{"name":"😀',
    limits: { maxCallBytes: 22 },
  },
  { about: 'an end marker in a key', text: '<tools>[{"</tools>"e":}' },
  { about: 'an end marker in a name', text: '<tools>[{"name""</tools>" s:}' },
  { about: 'a fence in a string', text: 'Action:```json[{"\n```"""}' },
  {
    about: 'reasoning that a header begins inside other reasoning',
    text: '<|start|><|channel|>l<|message|><|return|>',
    options: { startsInReasoning: true },
  },
  {
    about: 'JSON that is nested too deep, which several formats claim',
    text: '{"tool_calls":[{"":"","":{"":""}}]}',
    limits: { maxDepth: 2 },
    options: { startsInReasoning: true },
  },
  {
    about: 'space that JSON does not know',
    text: '``{"name":"f","arguments":{"":\uFEFF">',
    options: { tools: [{ name: 'f' }], incompleteCalls: 'call' },
  },
  {
    about: 'arguments that are followed by others',
    text: 'Action:```json{"tool_name":"t","parameters":{"":""}\ne:,parameters{}}',
  },
  {
    about: 'a call inside another call',
    text: '[{"id":"","function":{"name":"r","arguments":"{\\"","":{"name":"e","arguments":{"":""}}]',
  },
  {
    about: 'a call that another format goes on with',
    text: '{"type": "function", "name": "f", "parameters": {"dice": "1d8" }\n}`\n',
    options: { tools: [{ name: 'f' }] },
  },
  {
    about: 'an attribute before arguments in JSON',
    text: '<f\r=k>{"":"","":null}',
    options: { tools: [{ name: 'f' }], incompleteCalls: 'call' },
  },
  {
    about: 'what begins like another closing tag behind a call in YAML',
    text: '<tool_call>name: t\narguments:\n  y: \n  p: n\n</re',
  },
  {
    about: 'space that JSON does not know behind a number',
    text: '{"name":"f","arguments":{"a":1\uFEFF}}',
    options: { tools: [{ name: 'f' }] },
  },
  {
    about: 'space that JSON does not know behind a number, at an end marker',
    text: '<｜tool▁call▁begin｜>e<｜tool▁sep｜>{"e":8\u00a0<｜tool▁call▁end｜>',
  },
  {
    about: 'an end marker in a string of a call whose name the text ends in, too',
    text: '[TOOL_REQUEST]"name":"e" "[END_TOOL_REQUEST]":s"e',
    options: { incompleteCalls: 'call' },
  },
  {
    about: 'a line that begins behind a carriage return',
    text: '\rAction:t\nAction Input:',
    options: { tools: [{ name: 'f' }] },
    alone: react,
  },
  {
    about: 'a line that begins with odd space',
    text: '\u00a0Action:t\nAction Input:',
    options: { tools: [{ name: 'f' }] },
    alone: react,
  },
  {
    about: 'a call that is none, which shows in a chunk that goes past the size of a call',
    text: '<{e：>{"__proto__"{"":}}',
    limits: { maxCallBytes: 48 },
  },
];

function withoutSource({ calls, text, reasoning, issues }: Told): Partial<Told> {
  return { calls, text, reasoning, issues };
}

describe('however a text is cut', () => {
  test.each(CASES)('$about means the same', ({ text, limits = {}, options = {}, alone }) => {
    const registry =
      alone === undefined
        ? createDefaultRegistry({ limits })
        : new ParserRegistry({ limits }).register(alone, 50);
    const read = (chunks: readonly string[]): Told =>
      readChunks(chunks, { ...options, registry, clock: { now: () => 0 } });
    const expected = withoutSource(read([text]));
    for (const chunks of allCuts(text)) {
      const told = read(chunks);
      const cut = chunks.join(' + ');
      expect(withoutSource(told), cut).toEqual(expected);
      expect(told.source, cut).toBe(text);
      expect(told.wrongFragments, cut).toEqual([]);
    }
  });
});
