import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs, writeInvoke } from '../xml/invoke-suite.case.ts';
import { museGlimmer } from './muse-glimmer.ts';
import type { JsonValue } from '../../types.ts';

const call = (name: string, args: Readonly<Record<string, JsonValue>>): string =>
  writeInvoke(name, args, { invoke: 'atem:invoke', parameter: 'atem:parameter' });
const block = (calls: string): string => `<atem:function_calls>\n${calls}</atem:function_calls>`;

describeFormat({
  parser: museGlimmer,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '</atem:function_calls>',
  isTypedBySchema: true,
  args: namedArgs,
  pieces: [
    '<atem:function_calls>',
    '</atem:function_calls>',
    '<atem:invoke name="f">',
    '</atem:invoke>',
    '<atem:parameter name="a">',
    '</atem:parameter>',
    '<atem:function_calls><atem:invoke name="f">',
    '<atem:function_calls><atem:invoke name="f"><atem:parameter name="a">',
    '<|message|>',
    '<ate',
  ],
});

describe('the format muse-glimmer', () => {
  const registry = new ParserRegistry().register(museGlimmer, 50);

  test('reads the name of a tool in its own namespace', () => {
    const tools = [{ name: 'read' }];
    expect(registry.parse(block(call('read.read', {})), { tools }).calls).toMatchObject([
      { name: 'read' },
    ]);
  });

  test('leaves a token out of the name, and in a value', () => {
    const text = block(call('read<|message|>', { path: 'a <|message|> b' }));
    expect(registry.parse(text).calls).toMatchObject([
      { name: 'read', arguments: { path: 'a <|message|> b' } },
    ]);
  });
});
