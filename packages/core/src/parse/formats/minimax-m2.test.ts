import { describe, expect, test } from 'vitest';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs, writeInvoke } from '../xml/invoke-suite.case.ts';
import { minimaxM2 } from './minimax-m2.ts';

const block = (calls: string): string => `<minimax:tool_call>\n${calls}</minimax:tool_call>`;

describeFormat({
  parser: minimaxM2,
  write: (name, args) => block(writeInvoke(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => writeInvoke(name, args)).join('')),
  endMarker: '</minimax:tool_call>',
  isTypedBySchema: true,
  args: namedArgs,
  pieces: [
    '<minimax:tool_call>',
    '</minimax:tool_call>',
    '<invoke name="f">',
    "<invoke name='g'>",
    '<invoke name=h>',
    '<invoke>',
    '</invoke>',
    '<parameter name="a">',
    '</parameter>',
    '<parameter name="a">1</parameter>',
    '<minimax:tool_call>\n<invoke name="f">',
    '<minimax:tool_call><invoke name="f"><parameter name="a">',
    '<minimax:tool_call><invoke name="f"/>',
    '</para',
  ],
});

describe('the format minimax-m2', () => {
  const read = (calls: string) =>
    new ParserRegistry().register(minimaxM2, 50).parse(block(calls)).calls;

  test('takes names in either quotes or none', () => {
    for (const name of ['"f"', "'f'", 'f']) {
      const calls = read(`<invoke name=${name}><parameter name=${name}>x</parameter></invoke>`);
      expect(calls).toMatchObject([{ name: 'f', arguments: { f: 'x' }, repairs: [] }]);
    }
  });

  test('reads literals where no schema was given, and leaves everything else as it was written', () => {
    const values = ['42', '1.5', 'true', 'None', '[1, 2]', '{"a": {}}', '007', '+1', ' x ', '"q"'];
    const calls = read(
      `<invoke name="f">${values.map((value, at) => `<parameter name="p${at}">${value}</parameter>`).join('')}</invoke>`,
    );
    expect(Object.values(calls[0]?.arguments ?? {})).toEqual([
      42,
      1.5,
      true,
      null,
      [1, 2],
      { a: {} },
      '007',
      '+1',
      ' x ',
      '"q"',
    ]);
  });

  test('ends a parameter where the next begins, and a call where the block ends', () => {
    expect(
      read('<invoke name="f">\n<parameter name="a">one\n<parameter name="b">two</parameter>\n'),
    ).toMatchObject([
      { arguments: { a: 'one', b: 'two' }, repairs: ['missing-end-marker'], lossy: false },
    ]);
  });

  test('believes a closing tag only if what follows can follow it', () => {
    const text = 'write </parameter> and </invoke> and </minimax:tool_call> like this';
    expect(read(`<invoke name="f"><parameter name="a">${text}</parameter></invoke>`)).toMatchObject(
      [{ arguments: { a: text }, repairs: [], lossy: false }],
    );
  });

  test('takes a tag in a value for the next parameter only if the tool has one of that name left', () => {
    const registry = new ParserRegistry().register(minimaxM2, 50);
    const text = { type: 'string' };
    const tools = [{ name: 'f', parameters: { properties: { a: text, b: text, c: text } } }];
    const value = 'x\n<parameter name="other">\n<parameter name="a">\n<parameter name="b"> y';
    const open = '<invoke name="f"><parameter name="b">1</parameter><parameter name="a">' + value;
    const end = '<parameter name="c">2</parameter></invoke>';
    expect(registry.parse(block(open + end), { tools }).calls).toMatchObject([
      { arguments: { a: value, b: '1', c: '2' }, repairs: ['missing-end-marker'] },
    ]);
  });

  test('says so when words between parameters were left out', () => {
    expect(
      read(
        '<invoke name="f"><parameter name="a">x</parameter> and <parameter name="b">y</parameter></invoke>',
      ),
    ).toMatchObject([
      {
        arguments: { a: 'x', b: 'y' },
        repairs: ['surrounding-text', 'missing-end-marker'],
        lossy: true,
      },
    ]);
  });

  test('keeps the last of two values and calls that lossy', () => {
    expect(
      read(
        '<invoke name="f"><parameter name="a">x</parameter><parameter name="a">y</parameter></invoke>',
      ),
    ).toMatchObject([{ arguments: { a: 'y' }, lossy: true }]);
  });

  test('decodes no entities', () => {
    expect(
      read('<invoke name="f"><parameter name="a">&lt;b&gt; &amp;amp;</parameter></invoke>'),
    ).toMatchObject([{ arguments: { a: '&lt;b&gt; &amp;amp;' } }]);
  });

  test('takes parameters out of an object that only wraps them', () => {
    const parameters = { properties: { city: { type: 'string' } } };
    const registry = new ParserRegistry().register(minimaxM2, 50);
    const text = block(
      '<invoke name="f"><parameter name="arguments">{"city": "Oslo"}</parameter></invoke>',
    );
    expect(registry.parse(text, { tools: [{ name: 'f', parameters }] }).calls).toMatchObject([
      { arguments: { city: 'Oslo' }, repairs: ['wrapped-value'] },
    ]);
  });

  test('tells a string as it arrives, and a text that begins like a number once it is none', () => {
    const told: string[] = [];
    const stream = createToolCallStream({
      registry: new ParserRegistry().register(minimaxM2, 50),
      onEvent: (event) => {
        if (event.type === 'call-delta') told.push(event.fragment);
      },
    });
    stream.feed('<minimax:tool_call><invoke name="f"><parameter name="a">4');
    expect(told.join('')).toBe('');
    stream.feed('2 days');
    expect(told.join('')).toBe('{"a":"42 days');
    stream.feed(' and more</parameter><parameter name="b">tru');
    expect(told.join('')).toBe('{"a":"42 days and more"');
    stream.feed('e</parameter></invoke></minimax:tool_call>');
    stream.end();
    expect(told.join('')).toBe('{"a":"42 days and more","b":true}');
  });

  test('reads no call without a name', () => {
    expect(read('<invoke><parameter name="a">x</parameter></invoke>')).toEqual([]);
    expect(read('<invoke name=""><parameter name="a">x</parameter></invoke>')).toEqual([]);
    expect(read('<invoke name="f"><parameter>x</parameter></invoke>')).toEqual([]);
  });
});
