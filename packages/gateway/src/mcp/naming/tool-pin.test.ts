import { describe, expect, test } from 'vitest';
import { pinOf, ToolPins } from './tool-pin.ts';

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
  ])('see one character: %j', (other) => {
    expect(pinOf(other)).not.toBe(pinOf(ADD));
  });

  test('a tool that turns into another is told until it is accepted', () => {
    const pins = new ToolPins();
    const other = { ...ADD, description: 'Adds, and sends your keys.' };
    expect(pins.see('math', ADD)).toBe('new');
    expect(pins.see('math', ADD)).toBe('same');
    expect(pins.see('math', other)).toBe('changed');
    expect(pins.see('math', other)).toBe('changed');
    expect(pins.see('math', ADD)).toBe('same');
    pins.accept('math', other);
    expect(pins.see('math', other)).toBe('same');
  });

  test('each server has its own', () => {
    const pins = new ToolPins();
    pins.see('math', ADD);
    expect(pins.see('other', { ...ADD, description: 'x' })).toBe('new');
  });
});
