import { z } from 'zod';
import { circuitSchema } from './circuit-schema.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { readUpstreamUrl } from './read-upstream-url.ts';
import { choice, duration, secret, section, startsInReasoning, text } from './schema-parts.ts';
import { TOOL_FORMATS } from './tool-formats.ts';

const { upstream } = CONFIG_DEFAULTS;

/** Headers that the proxy writes itself; a second one would change what the upstream reads. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const SPOKEN = 'a list of chat, messages and responses, or some of them';

/** What a file may say of an upstream. */
export const upstreamSchema = section({
  name: text
    .max(64, { error: 'a name of at most 64 characters' })
    .regex(/^[\w.:[\]-]+$/, { error: 'a name of letters, digits and . _ - :' })
    .optional()
    .describe('In logs, errors and x-holdfast-upstream. The host and port of the URL without one.'),
  url: z
    .string({ error: 'an http or https URL such as http://127.0.0.1:1234/v1' })
    .superRefine((value, context) => {
      const read = readUpstreamUrl(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: read.expected });
    })
    .describe('The server, up to the version, such as http://127.0.0.1:1234/v1.'),
  apiKey: secret.optional().describe('Its key. Without one, the key of the client is passed on.'),
  protocols: z
    .array(choice(['chat', 'messages', 'responses']), { error: SPOKEN })
    .min(1, { error: SPOKEN })
    .default([...upstream.protocols])
    .describe(
      "What it speaks: Chat Completions (chat), Anthropic Messages (messages), OpenAI Responses (responses). It is asked in the client's own protocol where that is among them, else in Chat Completions.",
    ),
  headers: z
    .record(
      z
        .string()
        .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'the name of a header' })
        .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), {
          error: 'a header that the proxy does not write itself',
        }),
      secret,
      { error: 'headers and their values' },
    )
    .default({})
    .describe('Sent with every request to it.'),
  models: z
    .array(text, { error: "a list of models, such as ['*'] or [qwen3-coder]" })
    .min(1, { error: "at least one model; '*' is any" })
    .default([...upstream.models])
    .describe('The models it is asked for; * stands for any characters.'),
  modelMap: z
    .record(z.string().min(1), text, { error: 'names of models, and what to ask for instead' })
    .default({})
    .describe('What clients ask for, and what the upstream is asked for instead.'),
  connectTimeoutMs: duration
    .default(upstream.connectTimeoutMs)
    .describe('How long a connection may take.'),
  firstByteTimeoutMs: duration
    .default(upstream.firstByteTimeoutMs)
    .describe(
      'How long its first content may take; a long prompt takes a local model minutes. Keep-alives are no content.',
    ),
  idleTimeoutMs: duration
    .default(upstream.idleTimeoutMs)
    .describe('How long it may send no content within an answer.'),
  toolMode: choice(['native', 'prompt', 'auto'])
    .default(upstream.toolMode)
    .describe(
      'How models hear of tools: by the tools field (native), in their system prompt (prompt), or as it turns out to be needed (auto).',
    ),
  toolFormat: choice(TOOL_FORMATS)
    .optional()
    .describe('The dialect of tools in a prompt. That of the model by its name without one.'),
  startsInReasoning: z
    .record(z.string().min(1), startsInReasoning, {
      error: 'names of models with auto, true or false',
    })
    .default({})
    .describe('The same as proxy.startsInReasoning by model; * stands for any characters.'),
  circuit: circuitSchema(upstream.circuit)
    .prefault({})
    .describe('When it is left alone for a while.'),
});
