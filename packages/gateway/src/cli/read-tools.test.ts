import { describe, expect, it } from 'vitest';
import { toolsFrom } from './read-tools.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const readFile = { name: 'read_file', description: 'Reads a file.', parameters: schema };

describe('toolsFrom', () => {
  it.each([
    ['OpenAI', { type: 'function', function: readFile }],
    ['Responses', { type: 'function', ...readFile }],
    ['Anthropic', { name: 'read_file', description: 'Reads a file.', input_schema: schema }],
    ['MCP', { name: 'read_file', description: 'Reads a file.', inputSchema: schema }],
    ['plain', readFile],
  ])('reads the %s shape', (_shape, tool) => {
    expect(toolsFrom('tools.json', [tool])).toEqual([readFile]);
    expect(toolsFrom('tools.json', { tools: [tool] })).toEqual([readFile]);
  });

  it('needs no more than a name', () => {
    expect(toolsFrom('tools.json', [{ name: 'now', parameters: null }])).toEqual([{ name: 'now' }]);
    expect(toolsFrom('tools.json', [])).toEqual([]);
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
    expect(() => toolsFrom('tools.json', value)).toThrow(message);
    expect(() => toolsFrom('tools.json', value)).toThrow(/^tools\.json: /);
  });
});
