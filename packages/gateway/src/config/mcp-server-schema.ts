import { z } from 'zod';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { circuitCounts, circuitSchema } from './circuit-schema.ts';
import { choice, flag, secret, section, text } from './schema-parts.ts';

const { server } = MCP_DEFAULTS;

const TIME = 'a time above 0: milliseconds from 1000 up, seconds below';
const time = z.number({ error: TIME }).gt(0, { error: TIME }).max(2_147_483_647, { error: TIME });

const transport = choice([
  'stdio',
  'http',
  'sse',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
]);

const URL_EXPECTED = 'an http or https URL such as https://example.com/mcp';
const patterns = z.array(text, { error: "a list of tools, such as ['read_*']" });
const plainText = z.string({ error: 'text; put quotes around a number' });

/**
 * What a file may say of an MCP server, as clients of MCP write it. Clients add keys of their own all the time, so
 * others are no error.
 */
export const mcpServerSchema = z.looseObject(
  {
    type: transport.optional().describe('How it is reached; told by command or url without it.'),
    transportType: transport.optional().describe('Another name for type.'),
    command: text.optional().describe('The program to start.'),
    args: z
      .array(plainText, { error: 'a list of texts' })
      .optional()
      .describe('What the program is started with.'),
    env: z
      .record(text, plainText.nullable(), { error: 'variables and their values' })
      .optional()
      .describe('Variables for the program, besides the few that every program gets.'),
    envFile: text.optional().describe('A file with more of them, as KEY=value on each line.'),
    cwd: text.optional().describe('The folder to start it in; relative to this file.'),
    url: z
      .string({ error: URL_EXPECTED })
      .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), {
        error: URL_EXPECTED,
      })
      .optional()
      .describe('The address of a server that runs elsewhere.'),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'the name of a header' }),
        secret,
        { error: 'headers and their values' },
      )
      .optional()
      .describe('Sent with every request to it.'),
    timeout: time
      .optional()
      .describe('How long a tool may be silent: milliseconds from 1000 up, seconds below.'),
    toolTimeouts: z
      .record(text, time, { error: 'tools and their times' })
      .optional()
      .describe('The same for single tools.'),
    maxDuration: time
      .optional()
      .describe('How long a call may take in all, however much progress there is.'),
    disabled: flag.optional().describe('Leaves the server out.'),
    enabled: flag.optional().describe('false leaves the server out.'),
    tools: section({
      allow: patterns.optional().describe('The tools that are shown; * is any characters.'),
      deny: patterns.optional().describe('The tools that are not.'),
    })
      .optional()
      .describe("Which tools are shown, by the server's own names."),
    allowedTools: patterns.optional().describe('The same as tools.allow.'),
    disabledTools: patterns.optional().describe('The same as tools.deny.'),
    trustAnnotations: flag
      .optional()
      .describe('Believe what tools say of themselves, so that harmless ones are retried.'),
    idempotentTools: patterns
      .optional()
      .describe('Tools that may be retried, whatever they say of themselves.'),
    instances: choice(['shared', 'per-client'])
      .default(server.instances)
      .describe('One connection for all clients, or one for each.'),
    circuit: circuitSchema(server.circuit)
      .extend({
        counts: circuitCounts
          .default(server.circuit.counts)
          .describe(
            'Which classes of failures count against its tools, where that differs from the rule: { not-found: true }.',
          ),
        toolCounts: z
          .record(text, circuitCounts, { error: 'tools and which failures count against them' })
          .default(server.circuit.toolCounts)
          .describe('The same for single tools, over counts.'),
      })
      .prefault({})
      .describe('When a tool, or the server, is left alone for a while.'),
  },
  { error: 'a section with command, or with url' },
);

/** An entry that passed. */
export type McpServerEntry = z.output<typeof mcpServerSchema>;
