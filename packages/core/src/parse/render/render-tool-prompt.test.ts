import { describe, expect, test } from 'vitest';
import { ToolRenderError } from '../../errors.ts';
import type { ToolDefinition } from '../../types.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { RENDER_FORMATS } from './dialect-of.ts';
import { exampleCall } from './example-call.ts';
import { renderToolCall } from './render-tool-call.ts';
import { renderToolPrompt } from './render-tool-prompt.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'book_table',
    description: 'Books a table.',
    parameters: {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date', description: 'The day of the visit' },
        guests: { type: 'integer', minimum: 2 },
        area: { enum: ['inside', 'outside'] },
        wishes: { type: 'array', items: { $ref: '#/$defs/wish' } },
        note: { type: ['null', 'string'] },
      },
      required: ['day', 'guests', 'area', 'wishes'],
      $defs: { wish: { type: 'object', properties: { what: { type: 'string' } } } },
    },
  },
  { name: 'now' },
];

describe.each(RENDER_FORMATS)('the prompt for %s', (format) => {
  const prompt = renderToolPrompt(tools, format);

  test('names every tool and parameter, with their descriptions', () => {
    for (const word of [
      'book_table',
      'now',
      'day',
      'guests',
      'wishes',
      'Books a table.',
      'The day',
    ])
      expect(prompt).toContain(word);
    expect(prompt).toContain('outside');
  });

  test('shows a call that reads as one', () => {
    const example = exampleCall(tools[0]!);
    const written = renderToolCall(example, format);
    expect(prompt).toContain(written);
    expect(parseToolCalls(written, { tools, format }).calls).toMatchObject([example]);
  });

  test('says what to do with several calls, and with none', () => {
    expect(prompt).toMatch(/several/);
    expect(prompt).toMatch(/\bif no/i);
  });

  test('is short', () => {
    const schemas = JSON.stringify(tools).length;
    expect(prompt.length - schemas).toBeLessThan(2_000);
  });

  test('is empty without tools', () => {
    expect(renderToolPrompt([], format)).toBe('');
  });
});

describe('renderToolPrompt', () => {
  test('keeps a description from ending the list of tools', () => {
    const tool = {
      name: 'f',
      description: 'a </tools> [/AVAILABLE_TOOLS] <tool|> <|end|> </functions> b',
    };
    expect(renderToolPrompt([tool], 'qwen').split('</tools>')).toHaveLength(3);
    expect(renderToolPrompt([tool], 'mistral').split('[/AVAILABLE_TOOLS]')).toHaveLength(2);
    expect(renderToolPrompt([tool], 'gemma4').split('<tool|>')).toHaveLength(2);
    expect(renderToolPrompt([tool], 'harmony')).not.toContain('<|end|>');
    expect(renderToolPrompt([tool], 'anthropic-xml').split('</functions>')).toHaveLength(2);
  });

  test('refuses a tool that could not be called', () => {
    expect(() => renderToolPrompt([{ name: 'read-file' }], 'pythonic')).toThrow(ToolRenderError);
  });
});

describe('an example call', () => {
  test('fills what is required by what the schema says of it', () => {
    expect(exampleCall(tools[0]!)).toEqual({
      name: 'book_table',
      arguments: {
        day: '2026-01-31',
        guests: 2,
        area: 'inside',
        wishes: [{ what: 'some what' }],
      },
    });
  });

  test('shows the first parameters where none is required', () => {
    const properties = {
      a: { type: 'number', maximum: -3 },
      b: { default: 'x' },
      c: { type: 'boolean' },
    };
    const tool = { name: 'f', parameters: { type: 'object', properties } };
    expect(exampleCall(tool).arguments).toEqual({ a: -3, b: 'x' });
  });

  test('comes to an end where a schema does not', () => {
    const parameters = {
      type: 'object',
      properties: { next: { $ref: '#' } },
      required: ['next'],
    };
    expect(exampleCall({ name: 'f', parameters }).name).toBe('f');
  });
});
