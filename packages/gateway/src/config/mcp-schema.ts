import { z } from 'zod';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { mcpServerSchema } from './mcp-server-schema.ts';
import { choice, duration, flag, section, text, wholeNumber } from './schema-parts.ts';

const { settings } = MCP_DEFAULTS;

/** What a file may say of the MCP side of the gateway. */
export const mcpSchema = section({
  servers: z
    .record(text, mcpServerSchema, { error: 'servers by their names, as in mcpServers' })
    .exactOptional()
    .describe('MCP servers by their names, as clients have them in mcpServers.'),
  files: z
    .array(text, { error: 'a list of files, such as [.mcp.json]' })
    .exactOptional()
    .describe('Files with mcpServers that clients have already; relative to this file.'),
  prefix: choice(['auto', 'always', 'never'])
    .default(settings.prefix)
    .describe(
      'When names of tools and prompts begin with the server: where there are several (auto), always or never.',
    ),
  separator: z
    .string({ error: 'text' })
    .regex(/^[\w-]{1,8}$/, { error: 'one to eight letters, digits, _ or -' })
    .default(settings.separator)
    .describe('Between the name of a server and that of its tool.'),
  listTimeoutMs: duration
    .default(settings.listTimeoutMs)
    .describe('How long a list waits for a slow server before its last good copy is used.'),
  connectTimeoutMs: duration
    .default(settings.connectTimeoutMs)
    .describe('How long a server may take to start and answer.'),
  timeoutMs: duration
    .default(settings.timeoutMs)
    .describe('How long a tool may be silent; progress counts as life.'),
  maxDurationMs: duration
    .default(settings.maxDurationMs)
    .describe('How long a call may take in all, however much progress there is.'),
  maxMessageBytes: wholeNumber(1000, 2 ** 30, 'bytes')
    .default(settings.maxMessageBytes)
    .describe(
      'A message of a server that is longer, once unpacked, is not read: over HTTP its request fails, over stdio the server is ended.',
    ),
  maxResultBytes: wholeNumber(1000, 2 ** 30, 'bytes')
    .default(settings.maxResultBytes)
    .describe('Results that are longer are cut, with a note.'),
  check: flag
    .default(settings.check)
    .describe('Hold arguments against the schemas of tools before a call, and mend them.'),
  advice: flag
    .default(settings.advice)
    .describe('Tell the model what to do about tool calls that keep failing.'),
  trustAnnotations: flag
    .default(settings.trustAnnotations)
    .describe(
      'Believe what tools say of themselves (readOnlyHint, idempotentHint), so that harmless ones are retried.',
    ),
  redefinedTools: choice(['quarantine', 'log'])
    .default(settings.redefinedTools)
    .describe(
      'What becomes of a tool whose description, parameters or hints change after it was first seen: it is held back until somebody approves it, or only logged.',
    ),
  pins: text
    .optional()
    .describe(
      'The file in which it is kept what tools are, so that a change is noticed after a restart too; relative to this file.',
    ),
  plugins: text
    .optional()
    .describe('The file that says which plugins run around calls; relative to this file.'),
});

/** A section that passed. */
export type McpSection = z.output<typeof mcpSchema>;
