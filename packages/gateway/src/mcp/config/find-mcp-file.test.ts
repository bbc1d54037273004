import { describe, expect, test } from 'vitest';
import { findMcpFile } from './find-mcp-file.ts';

describe('the file with the servers of a folder', () => {
  test.each([
    [['/p/.mcp.json', '/p/.vscode/mcp.json'], '/p/.mcp.json'],
    [['/p/.vscode/mcp.json'], '/p/.vscode/mcp.json'],
    [['/p/mcp.json'], undefined],
  ])('of %j it is %s', (there, expected) => {
    expect(findMcpFile('/p', (path) => there.includes(path))).toBe(expected);
  });
});
