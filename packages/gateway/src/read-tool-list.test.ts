import { describe, expect, it } from 'vitest';
import { readToolList } from './read-tool-list.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const readFile = { name: 'read_file', description: 'Reads a file.', parameters: schema };

describe('a list of tools', () => {
  it.each([
    ['OpenAI', { type: 'function', function: readFile }],
    ['Responses', { type: 'function', ...readFile }],
    ['Anthropic', { name: 'read_file', description: 'Reads a file.', input_schema: schema }],
    ['MCP', { name: 'read_file', description: 'Reads a file.', inputSchema: schema }],
    ['plain', readFile],
  ])('reads the %s shape', (_shape, tool) => {
    expect(readToolList('tools.json', [tool])).toEqual([readFile]);
    expect(readToolList('tools.json', { tools: [tool] })).toEqual([readFile]);
  });

  it('needs no more than a name', () => {
    expect(readToolList('tools.json', [{ name: 'now', parameters: null }])).toEqual([
      { name: 'now' },
    ]);
    expect(readToolList('tools.json', [])).toEqual([]);
  });

  it.each([
    ['text', 'expected an array of tools, or an object with an array "tools", got "text"'],
    [null, 'expected an array of tools, or an object with an array "tools", got null'],
    [{}, 'expected an array of tools, or an object with an array "tools", got an empty object'],
    [{ tools: {} }, 'or an object with an array "tools", got an object with "tools"'],
    [[readFile, 'x'], 'tool 2: expected {"type":"function","function":{"name":…'],
    [[{ type: 'function' }], 'or {"name":…,"parameters":…}, got an object with "type"'],
    [[[]], 'or {"name":…,"parameters":…}, got an array'],
    [[{ name: '' }], 'tool 1: expected a name, got ""'],
    [[{ name: 7 }], 'tool 1: expected a name, got 7'],
    [
      [{ name: 'now', inputSchema: true }],
      'tool 1 (now): expected "inputSchema" to be a JSON Schema object, got true',
    ],
  ])('refuses %j', (value, message) => {
    expect(() => readToolList('tools.json', value)).toThrow(message);
    expect(() => readToolList('tools.json', value)).toThrow(/^tools\.json: /);
  });
});
