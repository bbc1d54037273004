import { describe, expect, test } from 'vitest';
import { nameOfCommand } from './name-of-command.ts';

describe('the name of a server by its command', () => {
  test.each([
    ['npx -y @modelcontextprotocol/server-everything', 'everything'],
    ['npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /tmp', 'filesystem'],
    ['npx @playwright/mcp@latest --headless', 'playwright'],
    ['npx -y mcp-server-fetch', 'fetch'],
    ['npx.cmd -y github-mcp-server', 'github'],
    ['uvx mcp-server-git --repository .', 'git'],
    ['uv --directory /srv run weather.py', 'weather'],
    ['uvx --from git+https://example.com/x serena start', 'serena'],
    ['python -m my_mcp_server', 'my'],
    ['python3 /srv/weather/server.py', 'weather'],
    ['node /srv/payment-gateway/dist/index.js', 'payment-gateway'],
    ['node --import tsx /srv/notes/src/main.ts', 'notes'],
    ['docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:v1', 'github'],
    ['/usr/local/bin/my tool', 'my'],
    ['C:\\tools\\Search.exe', 'Search'],
    ['cmd /c npx -y server-memory', 'memory'],
    ['server', 'server'],
    ['npx', 'npx'],
    ['größe', 'gr__e'],
    ['', 'server'],
  ])('%s: %s', (command, expected) => {
    expect(nameOfCommand(command.split(' '))).toBe(expected);
  });
});
