import { z } from 'zod';
import { advisorSchema } from './advisor-schema.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { keysAt } from './known-keys.ts';
import { mcpSchema } from './mcp-schema.ts';
import { observeSchema } from './observe-schema.ts';
import { proxySchema } from './proxy-schema.ts';
import { readListenAddress } from './read-listen-address.ts';
import { choice, duration, secret, section, text, wholeNumber } from './schema-parts.ts';
import { storeSchema } from './store-schema.ts';
import { upstreamSchema } from './upstream-schema.ts';

const { api, log, listen, shutdownGraceMs } = CONFIG_DEFAULTS;

const port = wholeNumber(0, 65_535);

const listenSchema = z.union(
  [
    z.string().superRefine((value, context) => {
      const read = readListenAddress(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: read.expected });
    }),
    section({
      host: text.default(listen.host).describe('The address to listen on.'),
      port: port.default(listen.port).describe('The port; 0 takes any that is free.'),
      hosts: z
        .array(text, { error: 'a list of names' })
        .exactOptional()
        .describe(
          'Other names that clients may use in the Host header, such as that of a container.',
        ),
    }),
  ],
  { error: 'an address such as 127.0.0.1:8787, or a section with host and port' },
);

/** What `holdfast.yaml` may say. */
export const configSchema = section({
  listen: listenSchema
    .default({ host: listen.host, port: listen.port })
    .describe(
      'Where clients connect to: an address such as 127.0.0.1:8787, or host and port apart.',
    ),
  token: secret
    .optional()
    .describe(
      'What clients have to show, as Authorization: Bearer, x-api-key or x-holdfast-token. Needed on any address but loopback.',
    ),
  upstreams: z
    .array(upstreamSchema, { error: 'a list of upstreams, each with a url' })
    .default([])
    .describe(
      'The servers that run models. The first one that has the model is asked, the next ones where it fails.',
    ),
  mcp: mcpSchema.optional().describe('MCP servers, all of them behind one endpoint.'),
  proxy: proxySchema.prefault({}).describe('How requests and answers are handled.'),
  api: section({
    maxRequestBytes: wholeNumber(1000, 2 ** 30, 'bytes')
      .default(api.maxRequestBytes)
      .describe(
        'The longest request to the admin API and the sidecar. For text of a model, proxy.maxRequestBytes holds.',
      ),
  })
    .prefault({})
    .describe("The gateway's own API: the admin API and the sidecar."),
  advisor: advisorSchema
    .optional()
    .describe(
      'When models get advice after failed tool calls, and what it says: in the proxy, the MCP gateway and the hooks of agents.',
    ),
  store: storeSchema
    .optional()
    .describe(
      'A Redis through which gateways share their circuits: its address, or a section with more.',
    ),
  observe: observeSchema.prefault({}).describe('How the gateway is watched, and what is kept.'),
  log: section({
    level: choice(['debug', 'info', 'warn', 'error', 'silent'])
      .default(log.level)
      .describe('What is logged. --log and HOLDFAST_LOG win over it.'),
  })
    .prefault({})
    .describe('The log on standard error.'),
  traceDir: z
    .string({ error: 'a folder' })
    .optional()
    .describe('A folder for one redacted JSON per request; relative to this file.'),
  shutdownGraceMs: duration
    .default(shutdownGraceMs)
    .describe('How long answers under way may take to end when the gateway is stopped.'),
  adviceKey: secret
    .refine((value) => value === '' || value.length >= 32, {
      error: 'a secret of at least 32 characters',
    })
    .optional()
    .describe(
      'The key that advice in tool results is signed with, so that other gateways recognize it. Without one, a key that the store shares, or else one in the state folder.',
    ),
});

/** A file that passed. */
export type ConfigFile = z.output<typeof configSchema>;

/** The keys that may stand at a place of the file; none where anything may. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  return keysAt(configSchema, path);
}
