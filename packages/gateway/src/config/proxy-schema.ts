import { z } from 'zod';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { FORMAT_NAMES } from './format-names.ts';
import { choice, duration, flag, section, startsInReasoning, wholeNumber } from './schema-parts.ts';

const { proxy } = CONFIG_DEFAULTS;
const { normalise } = proxy;

const normaliseSchema = section({
  systemInTheMiddle: flag
    .default(normalise.systemInTheMiddle)
    .describe('System messages behind the first turn join the leading one.'),
  deferLoading: flag
    .default(normalise.deferLoading)
    .describe('Tools marked defer_loading become plain tools.'),
  hostedTools: flag
    .default(normalise.hostedTools)
    .describe("Tools that only the vendor's own servers can run are left out."),
  namespaceTools: flag
    .default(normalise.namespaceTools)
    .describe('Tools in a namespace become plain ones, namespace__name.'),
  customTools: flag
    .default(normalise.customTools)
    .describe('Custom tools become functions with one text, input.'),
  parameterProperties: flag
    .default(normalise.parameterProperties)
    .describe('A schema without properties gets an empty one.'),
  emptyToolResults: flag
    .default(normalise.emptyToolResults)
    .describe('An empty tool result becomes (no output).'),
  toolResultBlocks: flag
    .default(normalise.toolResultBlocks)
    .describe('Tool results made of blocks become text.'),
  callArguments: flag
    .default(normalise.callArguments)
    .describe('Broken arguments of earlier calls become valid JSON.'),
  unknownFields: flag
    .default(normalise.unknownFields)
    .describe('Fields that the upstream does not know are left out.'),
  images: choice(['pass', 'refuse'])
    .default(normalise.images)
    .describe(
      'What becomes of images: refuse answers them with a clear error, for models that cannot see.',
    ),
});

/** What a file may say of how turns are read and told. */
export const proxySchema = section({
  eager: flag
    .default(proxy.eager)
    .describe('Tell the arguments of a call while they are read, before it is known to be whole.'),
  callsInReasoning: choice(['if-unclosed', 'ignore', 'read'])
    .default(proxy.callsInReasoning)
    .describe('What becomes of calls that are written inside reasoning.'),
  formats: z
    .array(choice(FORMAT_NAMES), { error: 'a list of formats (see holdfast formats)' })
    .min(1, { error: 'at least one format' })
    .optional()
    .describe('The formats in which calls are read. Without it, all.'),
  startsInReasoning: startsInReasoning
    .default(proxy.startsInReasoning)
    .describe(
      'Whether answers begin inside reasoning that the prompt opened: true, false, or auto (known by the name of the model, or learned from its answers).',
    ),
  bareCalls: flag
    .default(proxy.bareCalls)
    .describe(
      'Read text without markup as a call where it names an offered tool with arguments that fit.',
    ),
  maxRequestBytes: wholeNumber(1, 2 ** 30, 'bytes')
    .default(proxy.maxRequestBytes)
    .describe('The longest request that is taken.'),
  maxResponseBytes: wholeNumber(10_000, 2 ** 30, 'bytes')
    .default(proxy.maxResponseBytes)
    .describe(
      'The most content of one response that is held in memory. What was sent to the client does not count.',
    ),
  keepAliveMs: duration
    .default(proxy.keepAliveMs)
    .describe(
      'A pause of the upstream longer than this is bridged towards a client that reads a stream.',
    ),
  normalise: normaliseSchema
    .prefault({})
    .describe('What is changed in requests so that local servers accept them.'),
  retry: section({
    maxAttempts: wholeNumber(1, 20)
      .default(proxy.retry.maxAttempts)
      .describe('How often a turn is asked for in all, over all upstreams that have the model.'),
    baseDelayMs: duration
      .default(proxy.retry.baseDelayMs)
      .describe('The longest first wait between rounds; each one after it may be twice as long.'),
    maxDelayMs: duration.default(proxy.retry.maxDelayMs).describe('The longest such wait.'),
    maxWaitMs: duration
      .default(proxy.retry.maxWaitMs)
      .describe('The longest Retry-After that is waited for; longer ones are told to the client.'),
  })
    .prefault({})
    .describe('How often a turn is asked for, as long as nothing of an answer has come.'),
  advice: flag
    .default(proxy.advice)
    .describe('Tell the model what to do about tool calls that keep failing.'),
  onInvalid: choice(['forward', 'ask-again'])
    .default(proxy.onInvalid)
    .describe(
      'A call that does not fit its tool: tell the client (forward), or ask the model once more (ask-again).',
    ),
});
