import { describe, expect, test } from 'vitest';
import { pinOf } from './tool-pin.ts';

const ADD = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
};

describe('pins of tools', () => {
  test('do not depend on the order of keys, nor on what models do not see', () => {
    const turned = {
      _meta: { version: 2 },
      inputSchema: { properties: { a: { type: 'number' } }, type: 'object' },
      description: 'Adds two numbers.',
      name: 'add',
    };
    expect(pinOf(turned)).toBe(pinOf(ADD));
    expect(pinOf(ADD)).toMatch(/^[\da-f]{64}$/);
  });

  test.each([
    [{ ...ADD, name: 'add2' }],
    [{ ...ADD, description: 'Adds two numbers!' }],
    [{ ...ADD, inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }],
    [{ ...ADD, inputSchema: { type: 'object', properties: {} } }],
    [{ ...ADD, annotations: { readOnlyHint: true } }],
    [{ ...ADD, title: 'Add' }],
  ])('see one character: %j', (other) => {
    expect(pinOf(other)).not.toBe(pinOf(ADD));
  });
});
