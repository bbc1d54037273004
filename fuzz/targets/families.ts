import { ParserRegistry } from '@holdfast/core/parse';
import type { Dialect, FormatParser } from '@holdfast/core/parse';
import { PYTHONIC_DIALECTS } from '../../packages/core/src/parse/formats/pythonic-dialects.ts';
import { XML_DIALECTS } from '../../packages/core/src/parse/formats/xml-dialects.ts';
import { readYaml } from '../../packages/core/src/parse/yaml/read-yaml.ts';
import { Choices } from '../loop/fuzz-input.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { corpusTexts } from './corpus-texts.ts';
import { expectJson } from './json-value.ts';
import { checkReading, OFFERED, readOnce } from './reading-laws.ts';
import { COMMON_WORDS } from './words.ts';

const KEY_VALUE = ['gemma4', 'functiongemma'];

const isKeyValue = ({ parser }: Dialect): boolean => KEY_VALUE.includes(parser.name);

/** The readers that several dialects share, each with nothing but those dialects around it. */
export const familyTargets: readonly FuzzTarget[] = [
  familyOf('xml', 'packages/core/src/parse/xml', XML_DIALECTS),
  familyOf(
    'pythonic',
    'packages/core/src/parse/pythonic',
    PYTHONIC_DIALECTS.filter((dialect) => !isKeyValue(dialect)),
  ),
  familyOf('key-value', 'packages/core/src/parse/key-value', PYTHONIC_DIALECTS.filter(isKeyValue)),
  {
    name: 'yaml',
    seeds: yamlTexts().map((text) => ({ text, choice: 0 })),
    words: ['- ', 'a: ', '  ', '|\n', '>-\n', '"x"', "'y'", '{"a": 1}', '[1]', '# c', 'null'],
    sources: ['packages/core/src/parse/yaml'],
    run: ({ text, choice }) => {
      const maxDepth = new Choices(choice).of(128, 3);
      const value = readYaml(text, maxDepth, (scalar) => scalar);
      if (value !== undefined) expectJson(value);
    },
    readOnce: (text) => void readYaml(text, 128, (scalar) => scalar),
  },
];

function familyOf(name: string, source: string, dialects: readonly Dialect[]): FuzzTarget {
  const registry = new ParserRegistry();
  for (const { parser, priority } of dialects) registry.register(parser, priority);
  const parsers = dialects.map(({ parser }) => parser);
  const texts = parsers.flatMap((parser) => [parser.sample, ...corpusTexts(parser.name)]);
  return {
    name,
    seeds: texts.map((text) => ({ text, choice: 0 })),
    words: [...COMMON_WORDS, ...parsers.flatMap(openingsOf)],
    sources: [source],
    run: ({ text, choice }) => {
      const choices = new Choices(choice);
      const isOffered = choices.below(3) > 0;
      const keeps = choices.flag();
      const options = {
        registry,
        ...(isOffered && { tools: OFFERED }),
        incompleteCalls: keeps ? 'call' : 'text',
        unknownTool: choices.of('text', 'call', 'issue'),
      } as const;
      checkReading(text, options, choices.rest);
    },
    readOnce: (text) => readOnce(text, registry),
  };
}

function openingsOf({ formats }: FormatParser): string[] {
  return formats.flatMap(({ openings }) => openings.map(({ text }) => text));
}

function yamlTexts(): string[] {
  return [
    'a: 1\nb:\n  - x\n  - y: "z"\n    w: true\nc: |\n  one\n    two\nd: {"e": [1]}\n',
    '- a\n- b: c\n  d: >\n    folded\n    text\n',
    "'k': 'v'\n\"q\": null\n",
  ];
}
