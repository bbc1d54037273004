import { fileURLToPath } from 'node:url';

/** What starts an MCP server with these tools, all of which do as tool `mood` says. */
export const moodyServer = (...tools: readonly string[]): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL('../../../../test/support/moody-server.mjs', import.meta.url)),
  ...tools,
];

/** Variables that a program needs to start. */
export const ENV: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '' };
