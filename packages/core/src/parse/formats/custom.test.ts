import { describe, expect, test } from 'vitest';
import { createDefaultRegistry } from '../default-registry.ts';
import { defineFormat } from '../define-format.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { CustomToolParser } from './custom.ts';

const arrows = defineFormat({
  name: 'arrows',
  open: '<<call>>',
  close: '<<end>>',
  sample: '<<call>>{"name": "ls", "arguments": {}}<<end>>',
});

describeFormat({
  parser: arrows,
  write: (name, args) => `<<call>>${JSON.stringify({ name, arguments: args })}<<end>>`,
  endMarker: '<<end>>',
  pieces: ['<<call>>', '<<end>>', '<<cal', '<<call>>{', '<<e'],
});

describe('defineFormat', () => {
  const lines = defineFormat({
    name: 'lines',
    open: '@run ',
    close: '\n',
    body: (body) => {
      const [name = '', ...words] = body.split(' ');
      return name === 'stop' ? null : { name, arguments: { words } };
    },
  });

  test('reads bodies with a function', () => {
    const result = new ParserRegistry().register(lines, 30).parse('First\n@run ls -l .\nthen');
    expect(result.calls).toMatchObject([
      { name: 'ls', arguments: { words: ['-l', '.'] }, format: 'lines' },
    ]);
    expect(result.text).toBe('First\nthen');
  });

  test('takes null for "not a call"', () => {
    const result = new ParserRegistry().register(lines, 30).parse('@run stop\n');
    expect(result).toMatchObject({ calls: [], text: '@run stop\n' });
  });

  test('takes an exception, and what is no call, for "not a call"', () => {
    for (const body of [
      () => JSON.parse('{') as never,
      () => ({ name: '' }) as never,
      () => 'text' as never,
    ]) {
      const format = defineFormat({ name: 'odd', open: '((', close: '))', body });
      expect(new ParserRegistry().register(format, 30).parse('a ((b)) c')).toMatchObject({
        calls: [],
        text: 'a ((b)) c',
      });
    }
  });

  test('may return several calls', () => {
    const format = defineFormat({
      name: 'many',
      open: '{{',
      close: '}}',
      body: (body) => body.split('|').map((name) => ({ name, arguments: {} })),
    });
    expect(
      new ParserRegistry()
        .register(format, 30)
        .parse('{{a|b}}')
        .calls.map(({ name }) => name),
    ).toEqual(['a', 'b']);
  });

  test('works beside the built-in formats, and inside the custom parser', () => {
    const text = '<<call>>{"name": "a"}<<end>> and <tool_call>{"name": "b"}</tool_call>';
    for (const registry of [
      createDefaultRegistry().register(arrows, 60),
      createDefaultRegistry({ custom: [arrows] }),
    ]) {
      expect(registry.parse(text).calls.map(({ name }) => name)).toEqual(['a', 'b']);
    }
    expect(new CustomToolParser([arrows]).parse(text)).toMatchObject([
      { name: 'a', format: 'custom' },
    ]);
    expect(new CustomToolParser().canParse(text)).toBe(false);
  });

  test('goes first for its model where two formats share an opening', () => {
    const mine = defineFormat({
      name: 'mine',
      open: '<tool_call>',
      close: '</tool_call>',
      models: ['acme'],
    });
    const registry = createDefaultRegistry().register(mine, 10);
    const text = '<tool_call>{"name": "a"}</tool_call>';
    expect(registry.parse(text).calls[0]?.format).toBe('qwen');
    expect(registry.parse(text, { model: 'ACME-7b-instruct' }).calls[0]?.format).toBe('mine');
    expect(registry.parse(text, { format: 'mine' }).calls[0]?.format).toBe('mine');
  });

  test('lets a format further down read what one above declines', () => {
    const strict = defineFormat({
      name: 'strict',
      open: '<tool_call>',
      close: '</tool_call>',
      body: () => null,
    });
    const registry = createDefaultRegistry().register(strict, 200);
    expect(registry.parse('<tool_call>{"name": "a"}</tool_call>').calls).toMatchObject([
      { format: 'qwen' },
    ]);
  });

  test('refuses a definition that cannot work, naming the option', () => {
    expect(() => defineFormat({ name: 'x', open: '', close: 'b' })).toThrow(
      'defineFormat: open: expected a text that is not empty, got ""',
    );
  });
});
