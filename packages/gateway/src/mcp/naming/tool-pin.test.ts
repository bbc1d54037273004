import { describe, expect, test } from 'vitest';
import { fitsFirstPin, pinOf } from './tool-pin.ts';

const ADD = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
};

describe('pins of tools', () => {
  test('do not depend on the order of keys', () => {
    const turned = {
      inputSchema: { properties: { a: { type: 'number' } }, type: 'object' },
      description: 'Adds two numbers.',
      name: 'add',
    };
    expect(pinOf(turned)).toBe(pinOf(ADD));
    expect(pinOf(ADD)).toMatch(/^2:[\da-f]{64}$/);
  });

  test.each([
    [{ ...ADD, name: 'add2' }],
    [{ ...ADD, description: 'Adds two numbers!' }],
    [{ ...ADD, inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }],
    [{ ...ADD, inputSchema: { type: 'object', properties: {} } }],
    [{ ...ADD, annotations: { readOnlyHint: true } }],
    [{ ...ADD, title: 'Add' }],
    [{ ...ADD, outputSchema: { type: 'object' } }],
    [{ ...ADD, _meta: { version: 2 } }],
    [{ ...ADD, icons: [{ src: 'data:image/png;base64,AA==' }] }],
    [{ ...ADD, execution: { taskSupport: 'required' } }],
  ])('see one character: %j', (other) => {
    expect(pinOf(other)).not.toBe(pinOf(ADD));
  });

  test('of the first version fit what they covered', () => {
    const first = 'db068b218526184f30da322e4b6c6ffecf1a48c9f61ccbe425cd51c16f3e4f9b';
    expect(fitsFirstPin(first, ADD)).toBe(true);
    expect(fitsFirstPin(first, { ...ADD, outputSchema: { type: 'object' } })).toBe(true);
    expect(fitsFirstPin(first, { ...ADD, title: 'Add' })).toBe(false);
    expect(fitsFirstPin(pinOf(ADD), ADD)).toBe(false);
  });
});
