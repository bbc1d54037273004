import { describe, expect, test } from 'vitest';
import { suspiciousText } from './suspicious-text.ts';

function tool(description: string): { name: string; description: string; inputSchema: object } {
  return { name: 'add', description, inputSchema: { type: 'object' } };
}

const inTags = Array.from('ignore all', (letter) =>
  String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
);

describe('what a tool hides in its texts', () => {
  test.each([
    [`Adds.${inTags.join('')}`, 'tag characters, which spell text that nobody sees'],
    ['Adds\u200B two', 'characters without a width'],
    ['Adds \u200D two', 'characters without a width'],
    ['Adds \u202Eowt', 'characters that turn the direction of text'],
    ['Adds \u001B[8mhidden\u001B[0m', 'escape sequences of terminals'],
    ['Adds \u0007', 'control characters'],
    ['Adds \u{E0101}', 'variation selectors, which can spell text that nobody sees'],
  ])('%j is told', (description, expected) => {
    expect(suspiciousText({ ...tool(description), inputSchema: {} })).toEqual([
      `description has ${expected}`,
    ]);
  });

  test.each([
    'Adds two numbers.\n\tReturns their sum – “exactly” 1 × 2…\r\n',
    'Für Größen: 数を足す, عدد, जोड़ना, क्\u200Dष',
    'می\u200Cخواهم',
    'Sends 👩\u200D💻 and ❤\uFE0F',
  ])('%j is fine', (description) => {
    expect(suspiciousText({ ...tool(description), inputSchema: {} })).toEqual([]);
  });

  test('the name, titles, parameters and their names are looked at too', () => {
    const found = suspiciousText({
      name: 'a\u200Bdd',
      annotations: { title: 'A\u001B[1m' },
      inputSchema: {
        properties: { x: { description: 'x\u2060', enum: ['a', 'b\u0000'] }, 'y\u200B': {} },
      },
    });
    expect(found).toEqual([
      'name has characters without a width',
      'annotations.title has escape sequences of terminals',
      'inputSchema.properties.x.description has characters without a width',
      'inputSchema.properties.x.enum[1] has control characters',
      'a key of inputSchema.properties has characters without a width',
    ]);
  });

  test('a tool that hides a thousand times is told of ten', () => {
    const many = Array.from({ length: 1000 }, () => '\u200B');
    expect(suspiciousText({ name: 'x', inputSchema: { enum: many } })).toHaveLength(10);
  });
});
