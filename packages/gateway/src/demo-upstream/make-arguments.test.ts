import { checkToolCall } from '@holdfast/core/check';
import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { makeArguments } from './make-arguments.ts';

const make = (properties: JsonObject, message: string): JsonObject =>
  makeArguments({ type: 'object', properties, required: Object.keys(properties) }, message);

describe('arguments of the demo', () => {
  test('are made of what the message says', () => {
    const message =
      'What is the weather in New York for 3 days? See docs/weather.md and https://x.example/a.';

    expect(
      make(
        {
          city: { type: 'string' },
          days: { type: 'integer' },
          path: { type: 'string' },
          url: { type: 'string', format: 'uri' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        },
        message,
      ),
    ).toEqual({
      city: 'New York',
      days: 3,
      path: 'docs/weather.md',
      url: 'https://x.example/a',
      unit: 'celsius',
    });
  });

  test('take a quotation first, and the choice that is named', () => {
    expect(
      make(
        { text: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
        'Say "good morning" in Fahrenheit to Ada',
      ),
    ).toEqual({ text: 'good morning', unit: 'fahrenheit' });
  });

  test.each([
    ['Search pages for the moon', 'the moon'],
    ['Tell me about tides, please. And the sun', 'tides'],
    ['Read the newest note', 'read newest note'],
  ])('take what is asked for: %s', (message, query) => {
    expect(make({ query: { type: 'string' } }, message)).toEqual({ query });
  });

  test('prefer what the schema says', () => {
    expect(
      make({ a: { const: 1 }, b: { examples: ['x'] }, c: { type: 'string', default: 'y' } }, 'hi'),
    ).toEqual({ a: 1, b: 'x', c: 'y' });
  });

  test('never run what somebody wrote in a chat', () => {
    expect(make({ command: { type: 'string' } }, 'run "rm -rf /" now')).toEqual({
      command: 'echo hello from the demo model',
    });
  });

  test.each<JsonObject>([
    {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 5, maximum: 7 } },
      required: ['n'],
    },
    { type: 'object', properties: { s: { type: 'string', minLength: 30 } }, required: ['s'] },
    { type: 'object', properties: { s: { type: 'string', maxLength: 2 } }, required: ['s'] },
    { type: 'object', properties: { n: { type: 'number', multipleOf: 5 } }, required: ['n'] },
    { type: 'object', properties: { s: { type: ['null', 'string'] } }, required: ['s'] },
    {
      type: 'object',
      properties: { s: { anyOf: [{ type: 'null' }, { type: 'integer' }] } },
      required: ['s'],
    },
    {
      type: 'object',
      properties: { list: { type: 'array', minItems: 2, items: { $ref: '#/$defs/item' } } },
      required: ['list'],
      $defs: {
        item: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
      },
    },
    {
      type: 'object',
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
    {
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          type: 'object',
          properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } },
          required: ['kids'],
        },
      },
    },
    { type: 'object' },
    {},
  ])('fit their schema: %j', (parameters) => {
    const call = { name: 'tool', arguments: makeArguments(parameters, 'Please look at 2 things') };

    expect(checkToolCall(call, [{ name: 'tool', parameters }], { fix: false })).toMatchObject({
      ok: true,
    });
  });
});
