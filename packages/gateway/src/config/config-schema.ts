import { RENDER_FORMATS } from '@holdfast/core/parse';
import { z } from 'zod';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { readListenAddress } from './read-listen-address.ts';
import { readUpstreamUrl } from './read-upstream-url.ts';

// The message of each rule is what was expected; `describe-problem.ts` adds where, and what arrived.

const { upstream, proxy, log, listen, shutdownGraceMs } = CONFIG_DEFAULTS;
const { normalise } = proxy;

/** What can be sent in a header: no line breaks, no control characters. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
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
/** The longest a timer can wait. */
const LONGEST_MS = 2_147_483_647;

const SPOKEN = 'a list of chat, messages and responses, or some of them';

const flag = z.boolean({ error: 'true or false' });
const text = z.string({ error: 'text' }).min(1, { error: 'text that is not empty' });
const secret = z
  .string({ error: 'text; put quotes around a number' })
  .regex(HEADER_TEXT, { error: 'text without line breaks or control characters' });
const duration = wholeNumber(1, LONGEST_MS, 'milliseconds');
const port = wholeNumber(0, 65_535);
const SHARE = 'a share above 0, up to 1';
const share = z.number({ error: SHARE }).gt(0, { error: SHARE }).max(1, { error: SHARE });

const listenSchema = z.union(
  [
    z.string().superRefine((value, context) => {
      const read = readListenAddress(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: read.expected });
    }),
    section({
      host: text.default(listen.host).describe('The address to listen on.'),
      port: port.default(listen.port).describe('0 takes any port that is free.'),
      hosts: z
        .array(text, { error: 'a list of names' })
        .exactOptional()
        .describe('Other names that clients may use, such as that of a container.'),
    }),
  ],
  { error: 'an address such as 127.0.0.1:8787, or a section with host and port' },
);

const upstreamSchema = section({
  name: text
    .max(64, { error: 'a name of at most 64 characters' })
    .regex(/^[\w.:[\]-]+$/, { error: 'a name of letters, digits and . _ - :' })
    .optional()
    .describe('In logs and answers. The host and port of the URL by default.'),
  url: z
    .string({ error: 'an http or https URL such as http://127.0.0.1:1234/v1' })
    .superRefine((value, context) => {
      const read = readUpstreamUrl(value);
      if (!read.ok) context.addIssue({ code: 'custom', message: read.expected });
    })
    .describe('Up to the version, such as http://127.0.0.1:1234/v1.'),
  apiKey: secret.optional().describe('Its key. Without one, the key of the client is passed on.'),
  protocols: z
    .array(choice(['chat', 'messages', 'responses']), { error: SPOKEN })
    .min(1, { error: SPOKEN })
    .default([...upstream.protocols])
    .describe(
      'What it speaks: Chat Completions (chat), Anthropic Messages (messages), OpenAI Responses (responses).',
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
  connectTimeoutMs: duration.default(upstream.connectTimeoutMs),
  firstByteTimeoutMs: duration.default(upstream.firstByteTimeoutMs),
  idleTimeoutMs: duration.default(upstream.idleTimeoutMs),
  toolMode: choice(['native', 'prompt', 'auto']).default(upstream.toolMode),
  toolFormat: choice(RENDER_FORMATS).optional(),
  circuit: section({
    consecutiveFailures: wholeNumber(1, 1000).default(upstream.circuit.consecutiveFailures),
    failureRatio: share.default(upstream.circuit.failureRatio),
    minCalls: wholeNumber(1, 100_000).default(upstream.circuit.minCalls),
    windowMs: duration.default(upstream.circuit.windowMs),
    openForMs: duration.default(upstream.circuit.openForMs),
  }).prefault({}),
});

const normaliseSchema = section({
  systemInTheMiddle: flag.default(normalise.systemInTheMiddle),
  deferLoading: flag.default(normalise.deferLoading),
  hostedTools: flag.default(normalise.hostedTools),
  namespaceTools: flag.default(normalise.namespaceTools),
  customTools: flag.default(normalise.customTools),
  parameterProperties: flag.default(normalise.parameterProperties),
  emptyToolResults: flag.default(normalise.emptyToolResults),
  toolResultBlocks: flag.default(normalise.toolResultBlocks),
  callArguments: flag.default(normalise.callArguments),
  unknownFields: flag.default(normalise.unknownFields),
  images: choice(['pass', 'refuse']).default(normalise.images),
});

const proxySchema = section({
  eager: flag
    .default(proxy.eager)
    .describe('Tell the arguments of a call while they are read, before it is known to be whole.'),
  callsInReasoning: choice(['if-unclosed', 'ignore', 'read'])
    .default(proxy.callsInReasoning)
    .describe('What becomes of calls that are written inside reasoning.'),
  maxRequestBytes: wholeNumber(1, 2 ** 30, 'bytes').default(proxy.maxRequestBytes),
  keepAliveMs: duration
    .default(proxy.keepAliveMs)
    .describe('A pause of the upstream longer than this is bridged towards the client.'),
  normalise: normaliseSchema
    .prefault({})
    .describe('What is changed in requests so that local servers accept them.'),
  retry: section({
    maxAttempts: wholeNumber(1, 20).default(proxy.retry.maxAttempts),
    baseDelayMs: duration.default(proxy.retry.baseDelayMs),
    maxDelayMs: duration.default(proxy.retry.maxDelayMs),
    maxWaitMs: duration.default(proxy.retry.maxWaitMs),
  }).prefault({}),
  advice: flag.default(proxy.advice),
  onInvalid: choice(['forward', 'ask-again']).default(proxy.onInvalid),
});

/** What `holdfast.yaml` may say. */
export const configSchema = section({
  listen: listenSchema
    .default({ host: listen.host, port: listen.port })
    .describe('Where clients connect to.'),
  token: secret
    .optional()
    .describe('What clients have to show. Needed on any address but loopback.'),
  upstreams: z
    .array(upstreamSchema, { error: 'a list of upstreams, each with a url' })
    .min(1, { error: 'at least one upstream with a url' })
    .describe('The servers that run models. The first one that has the model is asked.'),
  proxy: proxySchema.prefault({}).describe('How requests and answers are handled.'),
  log: section({
    level: choice(['debug', 'info', 'warn', 'error', 'silent']).default(log.level),
  }).prefault({}),
  traceDir: z
    .string({ error: 'a folder' })
    .optional()
    .describe('A folder for one redacted JSON per request; relative to this file.'),
  shutdownGraceMs: duration
    .default(shutdownGraceMs)
    .describe('How long answers may take to end when the gateway is stopped.'),
});

/** A file that passed. */
export type ConfigFile = z.output<typeof configSchema>;

/** The keys that may stand at a place of the file; none where anything may. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = unwrap(configSchema);
  for (const step of path) {
    if (at instanceof z.ZodArray) at = unwrap(at.element);
    else if (at instanceof z.ZodObject) at = unwrap(at.shape[String(step)]);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: unknown): unknown {
  let at = schema;
  for (;;) {
    if (at instanceof z.ZodUnion) at = at.options.find((each) => each instanceof z.ZodObject);
    else if (at instanceof z.ZodDefault || at instanceof z.ZodPrefault) at = at.unwrap();
    else if (at instanceof z.ZodOptional || at instanceof z.ZodExactOptional) at = at.unwrap();
    else return at;
  }
}

function section<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, { error: `a section with ${Object.keys(shape).join(', ')}` });
}

function choice<const Words extends readonly string[]>(
  words: Words,
): z.ZodEnum<{ [Word in Words[number]]: Word }> {
  return z.enum(words, { error: [words.slice(0, -1).join(', '), words.at(-1)].join(' or ') });
}

function wholeNumber(min: number, max: number, unit?: string): z.ZodInt {
  const error = `a whole number from ${min} to ${max}${unit === undefined ? '' : `, in ${unit}`}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
