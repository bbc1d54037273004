import { createDefaultRegistry, FormatParser, ParserRegistry } from '@holdfast/core/parse';
import type { ParseLimits } from '@holdfast/core/parse';
import type { ReadOptions } from '../../scripts/conformance/reading.ts';
import { Choices } from '../loop/fuzz-input.ts';
import type { FuzzInput } from '../loop/fuzz-input.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { corpusTexts } from './corpus-texts.ts';
import { checkLook } from './look-laws.ts';
import { checkReading, OFFERED, readOnce } from './reading-laws.ts';
import { COMMON_WORDS } from './words.ts';

/** So small that inputs go past them. */
const SMALL_LIMITS: readonly Partial<ParseLimits>[] = [
  {},
  {},
  {},
  {},
  { maxCallBytes: 48 },
  { maxInputBytes: 64 },
  { maxDepth: 2 },
  { maxCallBytes: 24, maxDepth: 3 },
];

/** All built-in formats, once for each of the limits. */
const registries = SMALL_LIMITS.map((limits) =>
  limits === SMALL_LIMITS[0] ? createDefaultRegistry() : createDefaultRegistry({ limits }),
);
const builtIn = registries[0] ?? createDefaultRegistry();

/** A target for each dialect: its own texts, read by a registry of all formats, with a hint and without. */
export const dialectTargets: readonly FuzzTarget[] = builtIn
  .list()
  .flatMap(({ name, parser }) => (parser instanceof FormatParser ? [targetOf(name, parser)] : []));

/** What all dialects write, in one text. */
export const mixedTarget: FuzzTarget = {
  name: 'mixed',
  seeds: builtIn
    .list()
    .flatMap(({ parser }) => (parser instanceof FormatParser ? [seed(parser.sample)] : [])),
  words: [...COMMON_WORDS, ...builtIn.list().flatMap(({ parser }) => openingsOf(parser))],
  sources: ['packages/core/src/parse'],
  run: ({ text, choice }) => {
    const choices = new Choices(choice);
    const names = builtIn.list().map(({ name }) => name);
    const hint = choices.flag() ? names[choices.below(names.length)] : undefined;
    const options = optionsFrom(choices);
    checkReading(text, hint === undefined ? options : { ...options, format: hint }, choices.rest);
  },
  readOnce: (text) => readOnce(text, builtIn),
};

function targetOf(name: string, parser: FormatParser): FuzzTarget {
  const alone = new ParserRegistry().register(parser, 50);
  const [model] = parser.models;
  const hints: readonly ReadOptions[] = [
    {},
    { format: name },
    model === undefined ? {} : { model },
    { registry: alone },
  ];
  return {
    name: `dialect-${name}`,
    seeds: [parser.sample, ...corpusTexts(name)].map(seed),
    words: [...COMMON_WORDS, ...openingsOf(parser), ...piecesOf(parser.sample)],
    sources: [`packages/core/src/parse/formats/${name}.ts`],
    run: ({ text, choice }) => {
      const choices = new Choices(choice);
      const hint = hints[choices.below(hints.length)];
      const options = { ...optionsFrom(choices), ...hint };
      checkReading(text, options, choices.rest);
      checkLook(parser, text, choices.rest, options.tools && OFFERED);
    },
    readOnce: (text) => readOnce(text, builtIn),
  };
}

function optionsFrom(choices: Choices): ReadOptions {
  const registry = registries[choices.below(SMALL_LIMITS.length)] ?? builtIn;
  const isOffered = choices.flag();
  // Most texts are read as they usually are.
  if (choices.flag()) return { registry, ...(isOffered && { tools: OFFERED }) };
  return {
    registry,
    ...(isOffered && { tools: OFFERED }),
    startsInReasoning: choices.of<boolean | 'auto'>('auto', false, true),
    reasoning: choices.below(4) === 3 ? 'text' : 'separate',
    callsInReasoning: choices.of('if-unclosed', 'ignore', 'read'),
    unknownTool: choices.of('text', 'issue', 'call'),
    incompleteCalls: choices.of('text', 'call'),
  };
}

function seed(text: string): FuzzInput {
  return { text, choice: 0 };
}

function openingsOf(parser: unknown): string[] {
  if (!(parser instanceof FormatParser)) return [];
  return parser.formats.flatMap(({ openings, reasoning = [] }) => [
    ...openings.map(({ text }) => text),
    ...reasoning.flatMap(({ open, close }) => [open, close]),
  ]);
}

/** The tags, the lines and the parts between brackets of a sample. */
function piecesOf(sample: string): string[] {
  const tags = sample.match(/<[^<>\s]{1,60}>|\[\/?\w{1,30}\]/g) ?? [];
  const words = sample.match(/[\w.-]{2,40}/g) ?? [];
  return [...tags, ...words, ...sample.split('\n')].filter((piece) => piece !== '');
}
